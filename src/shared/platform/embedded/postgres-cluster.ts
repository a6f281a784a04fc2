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

/** Makes the cluster in a folder that gets its name when it is complete, so that a crash leaves no half cluster to start on. */
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
 * Lets only root connect: other processes of a system user can enter the socket's folder, so the server asks the system who connects. Written at
 * each start, because a folder of an earlier version trusts everybody.
 */
export function admitRootAlone(clusterDir: string): void {
  overwrite(join(clusterDir, 'pg_hba.conf'), `local all ${databaseUser} peer map=parley\n`);
  overwrite(join(clusterDir, 'pg_ident.conf'), `parley root ${databaseUser}\n`);
}

/** Overwrites a file in a folder that belongs to a system user. A link in its place is an error: it could lead root to write elsewhere. */
function overwrite(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
