import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresOwner, type PostgresPlace, asOwner, makeOwnFolder, spawnOptions } from './postgres-owner.ts';

/** Who owns everything in it, and connects. */
export const databaseUser = 'parley';

/** The url of a database by the server's socket, in libpq's form: with the folder percent-encoded in the host's place. */
export const urlOf = (socketDir: string, database: string): string =>
  `postgres://${databaseUser}@${encodeURIComponent(socketDir)}/${database}`;

/** In a folder that gets its name when it is complete: a crash half-way leaves no half cluster to start on. */
export async function initialise(
  owner: PostgresOwner,
  { binDir, clusterDir }: PostgresPlace,
  { durable, log }: { durable: boolean; log: (line: string) => void },
): Promise<void> {
  log(`making a new PostgreSQL data folder in ${clusterDir}`);
  const parent = dirname(clusterDir);
  for (const name of readdirSync(parent)) {
    if (name.startsWith('postgres-unfinished-')) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const unfinished = join(parent, `postgres-unfinished-${process.pid}`);
  makeOwnFolder(unfinished, owner);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const options = ['-D', unfinished, '-U', databaseUser, '--auth=trust', '--no-instructions', ...locale];
  const initdb = [join(binDir, 'initdb'), ...options, ...(durable ? [] : ['--no-sync'])] as const;
  const [file, ...args] = asOwner(owner, initdb);
  try {
    await promisify(execFile)(file, args, spawnOptions(owner));
    renameSync(unfinished, clusterDir);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`PostgreSQL's data folder cannot be made in ${clusterDir}`, { cause: error });
  }
}

/**
 * A system user may have other processes, and all of them can enter the socket's folder: the server asks the system who it is that
 * connects, and takes root alone. Written at each start, for a folder of an earlier version trusts everybody.
 */
export function admitRootAlone(clusterDir: string): void {
  overwrite(join(clusterDir, 'pg_hba.conf'), `local all ${databaseUser} peer map=parley\n`);
  overwrite(join(clusterDir, 'pg_ident.conf'), `parley root ${databaseUser}\n`);
}

/** The folder is that user's, whose links must not lead root to write elsewhere: a link in the file's place is an error. */
function overwrite(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
