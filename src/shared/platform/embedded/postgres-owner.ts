import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * How PostgreSQL, which refuses to run as root, is run here:
 * - `self`: we are an ordinary user;
 * - `namespace`: we are root; in a user namespace PostgreSQL sees itself as an ordinary user, and the files stay root's;
 * - `user`: we are root where namespaces are forbidden (many containers); a system user runs it.
 */
export type PostgresOwner =
  | { type: 'self' }
  | { type: 'namespace'; prefix: readonly [string, ...string[]] }
  | { type: 'user'; name: string; uid: number; gid: number };

export function choosePostgresOwner(): PostgresOwner {
  if (process.getuid?.() !== 0) return { type: 'self' };
  // Any uid but 0 will do inside: it maps to root, the only user that a namespace made by root needs to know.
  const prefix = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] as const;
  const [unshare, ...args] = prefix;
  if (spawnSync(unshare, [...args, 'true'], { stdio: 'ignore' }).status === 0) return { type: 'namespace', prefix };
  return systemUser();
}

function systemUser(): PostgresOwner {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = users.find((line) => line.startsWith(`${wanted}:`))?.split(':') ?? [];
    // macOS writes nobody's ids as -2, which the system calls take as 32 bits without sign.
    if (name !== undefined) return { type: 'user', name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  throw new Error(
    'PostgreSQL does not run as root, user namespaces are not permitted here, and there is no user postgres or nobody: ' +
      'start as an ordinary user, or set DATABASE_URL to a PostgreSQL of yours',
  );
}

/** The command line by which the owner runs this command. */
export function asOwner(owner: PostgresOwner, command: readonly [string, ...string[]]): [string, ...string[]] {
  return owner.type === 'namespace' ? [...owner.prefix, ...command] : [...command];
}

/** Without our environment: PGDATA, PGPORT and the like would change what the server does. */
export function spawnOptions(owner: PostgresOwner) {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: '/', env, ...(owner.type === 'user' ? { uid: owner.uid, gid: owner.gid } : {}) };
}

export type PostgresPlace = { binDir: string; clusterDir: string; socketDir: string };

/**
 * Where its binaries, its data and its socket lie: below the data folder. A system user cannot enter what only root may enter (a
 * clone below /root); for it, whatever it cannot reach goes to a folder of its own below /var/tmp, named after the data folder.
 */
export function placePostgres(
  owner: PostgresOwner,
  { binDir, root, log }: { binDir: string; root: string; log: (line: string) => void },
): PostgresPlace {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (owner.type !== 'user') {
    return { binDir, clusterDir: join(root, 'postgres'), socketDir: shortEnough(join(root, 'run', 'pg'), root) };
  }
  // The user may pass through it but not list it. What lies in it has permissions of its own.
  chmodSync(root, statSync(root).mode | 0o011);
  const home = join('/var/tmp', `parley-${shortHash(root)}`);
  const dataStays = canEnter(owner, root);
  const binariesStay = canEnter(owner, binDir);
  if (!dataStays || !binariesStay) makeOwnFolder(home, owner);
  if (!dataStays)
    log(`PostgreSQL does not run as root, and the user ${owner.name} cannot enter ${root}: its data is in ${home}`);
  const parent = dataStays ? root : home;
  return {
    binDir: binariesStay ? binDir : copyBinaries(binDir, home),
    clusterDir: join(parent, 'postgres'),
    socketDir: shortEnough(join(parent, 'pg'), root),
  };
}

/** Socket paths end at 107 bytes, on macOS at 103: for a data folder with a long path, a short one below /tmp. */
function shortEnough(socketDir: string, root: string): string {
  return Buffer.byteLength(join(socketDir, '.s.PGSQL.5432')) <= 103
    ? socketDir
    : join('/tmp', `parley-pg-${shortHash(root)}`);
}

function copyBinaries(binDir: string, home: string): string {
  const binaries = dirname(binDir);
  // A new version of the binaries gets a folder of its own: the copy is never half one, half the other.
  const copy = join(home, `binaries-${shortHash(`${binaries}/${statSync(join(binDir, 'postgres')).mtimeMs}`)}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    cpSync(binaries, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return join(copy, 'bin');
}

/** A folder that only the owner can enter. One that somebody else made beforehand is refused. */
export function makeOwnFolder(path: string, owner: PostgresOwner): void {
  const [uid, gid] =
    owner.type === 'user' ? [owner.uid, owner.gid] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (!existsSync(path)) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chownSync(path, uid, gid);
  }
  const found = lstatSync(path);
  if (!found.isDirectory() || found.uid !== uid)
    throw new Error(`${path} belongs to another user: remove it and start again`);
  chmodSync(path, 0o700);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function canEnter({ uid, gid }: { uid: number; gid: number }, path: string): boolean {
  return spawnSync('test', ['-x', path], { uid, gid, stdio: 'ignore', cwd: '/' }).status === 0;
}
