import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectDatabase } from '../../../../src/shared/platform/db/connect.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../../src/shared/platform/embedded/postgres.ts';
import { findProcess } from '../../../../src/shared/platform/embedded/processes.ts';
import { aLog, aTempDir } from './temp-dir.ts';

function socketPath(url: string): string {
  return join(decodeURIComponent(new URL(url).hostname), '.s.PGSQL.5432');
}

describe('the embedded PostgreSQL', () => {
  test('serves UTF-8 by its socket alone, gives up durability only when told, and makes further databases', async () => {
    const server = await startPostgres({ dataDir: aTempDir(), log: () => {}, durable: false });
    const sql = connectDatabase(server.database, { max: 1 });
    const [settings] = await sql`
      select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
        current_setting('server_encoding') as encoding, lower('ÄÖ') as lower, current_setting('TimeZone') as zone`;
    expect(settings).toEqual({ addresses: '', fsync: 'off', encoding: 'UTF8', lower: 'äö', zone: 'UTC' });
    await sql.end();
    const other = await server.createDatabase('other');
    expect(await server.createDatabase('other')).toEqual(other);
    const elsewhere = connectDatabase(other, { max: 1 });
    expect(await elsewhere`select current_database() as name`).toEqual([{ name: 'other' }]);
    await elsewhere.end();
    await server.stop();
  });

  test('is durable unless told otherwise', async () => {
    const server = await startPostgres({ dataDir: aTempDir(), log: () => {} });
    const sql = connectDatabase(server.database, { max: 1 });
    const [settings] =
      await sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`;
    expect(settings).toEqual({ fsync: 'on', commit: 'on' });
    await sql.end();
    await server.stop();
  });

  test('stops at once while connections are open and busy', async () => {
    const server = await startPostgres({ dataDir: aTempDir(), log: () => {}, durable: false });
    const sql = connectDatabase(server.database, { max: 2 });
    const sleeping = sql`select pg_sleep(60)`.catch((error: unknown) => error);
    await vi.waitFor(
      async () => {
        expect(await sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`).toHaveLength(1);
      },
      { timeout: 60_000 },
    );
    await server.stop();
    expect(await sleeping).toBeInstanceOf(Error);
    await sql.end({ timeout: 0 });
  });

  test('works below a folder whose path is too long for a socket', async () => {
    const dataDir = join(aTempDir(), 'a-rather-long-name-for-a-folder'.repeat(3), 'data');
    mkdirSync(dataDir, { recursive: true });
    const server = await startPostgres({ dataDir, log: () => {}, durable: false });
    const socket = socketPath(server.database);
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(103);
    expect(existsSync(socket)).toBe(true);
    const sql = connectDatabase(server.database, { max: 1 });
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    await sql.end();
    await server.stop();
    expect(existsSync(dirname(socket))).toBe(false);
  });

  test('starts anew over what a cut-off first start has left', async () => {
    const dataDir = aTempDir();
    mkdirSync(join(dataDir, 'postgres-unfinished-1', 'base'), { recursive: true });
    const { lines, log } = aLog();
    const server = await startPostgres({ dataDir, log, durable: false });
    expect(lines).toEqual([`making a new PostgreSQL data folder in ${join(dataDir, 'postgres')}`]);
    expect(readdirSync(dataDir).sort()).toEqual(['logs', 'postgres', 'run']);
    await server.stop();
  });

  /** Kills a server with much to replay. */
  const crash = async ({ database, pid, ended }: EmbeddedPostgres): Promise<void> => {
    const sql = connectDatabase(database, { max: 1 });
    await sql`set synchronous_commit = on`;
    await sql`create table if not exists filler (text text)`;
    await sql`insert into filler select repeat('x', 1000) from generate_series(1, 100000)`;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    process.kill(pid, 'SIGKILL');
    await ended;
    await sql.end({ timeout: 0 });
    // They hold its memory for a moment yet, and as long as they do no other can start.
    await vi.waitUntil(() => !children.some(findProcess), { timeout: 60_000, interval: 10 });
  };

  /** Holds a server up that begins to replay; answers what lets it go on. */
  const holdUp = async (dataDir: string): Promise<() => void> => {
    const pid = await vi.waitFor(
      () => {
        const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
        if (lines[7]?.trim() !== 'starting') throw new Error('not starting yet');
        return Number(lines[0]);
      },
      { timeout: 60_000, interval: 1 },
    );
    process.kill(pid, 'SIGSTOP');
    const letGoOn = (): void => {
      if (findProcess(pid)) process.kill(pid, 'SIGCONT');
    };
    onTestFinished(letGoOn);
    return letGoOn;
  };

  test('waits for what a crash has left to be replayed, however long that takes, unless told to stop', async () => {
    const dataDir = aTempDir();
    await crash(await startPostgres({ dataDir, log: () => {}, durable: false }));
    const { lines, log } = aLog();
    const stopping = new AbortController();
    const start = () => startPostgres({ dataDir, log, durable: false, startTimeoutMs: 300, signal: stopping.signal });
    const told = () => vi.waitUntil(() => lines.some((line) => line.includes('it replays')), { timeout: 60_000 });

    const starting = start();
    const letGoOn = await holdUp(dataDir);
    await told();
    letGoOn();
    const server = await starting;
    const sql = connectDatabase(server.database, { max: 1 });
    expect(await sql`select count(*)::int from filler`).toEqual([{ count: 100_000 }]);
    await sql.end();

    await crash(server);
    lines.length = 0;
    const givenUp = start();
    const letEnd = await holdUp(dataDir);
    await told();
    stopping.abort();
    letEnd();
    await expect(givenUp).rejects.toBe(stopping.signal.reason);
  });

  test('says why it does not start', async () => {
    const dataDir = aTempDir();
    const first = await startPostgres({ dataDir, log: () => {}, durable: false });
    await first.stop();
    writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), 'nonsense = on\n');
    await expect(startPostgres({ dataDir, log: () => {}, durable: false })).rejects.toThrow(
      /PostgreSQL did not start \(exit code 1\):\n[^]*unrecognized configuration parameter "nonsense"/,
    );
  });

  test.each([
    ['that everybody may pass through', 0o755, /^postgres/],
    ['that only its owner may enter', 0o700, /parley-[0-9a-f]{16}.postgres/],
  ])('works where namespaces are not permitted, also for root, below a folder %s', async (_which, mode, place) => {
    const folder = aTempDir();
    chmodSync(folder, mode);
    const commands = join('/tmp', `parley-commands-${randomUUID()}`);
    mkdirSync(commands);
    chmodSync(commands, 0o755);
    for (const name of ['sh', 'test']) symlinkSync(`/bin/${name}`, join(commands, name));
    vi.stubEnv('PATH', commands);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(commands, { recursive: true });
    });
    const startAndLook = async () => {
      const server = await startPostgres({ dataDir: join(folder, 'data'), log: () => {}, durable: false });
      const sql = connectDatabase(server.database, { max: 1 });
      const [where] = await sql<{ cluster: string }[]>`select current_setting('data_directory') as cluster`;
      const rules = await sql<{ method: string }[]>`select distinct auth_method as method from pg_hba_file_rules`;
      await sql.end();
      await server.stop();
      return { cluster: where?.cluster ?? '', methods: rules.map(({ method }) => method) };
    };
    const { cluster, methods } = await startAndLook();
    onTestFinished(() => {
      if (cluster.startsWith('/var/tmp/')) rmSync(dirname(cluster), { recursive: true });
    });
    const isRoot = process.getuid?.() === 0;
    // Other processes of that system user can enter the socket's folder.
    expect(methods).toEqual([isRoot ? 'peer' : 'trust']);
    // As versions up to 0.2 have made it.
    if (isRoot) writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\n');
    expect((await startAndLook()).methods).toEqual(methods);
    // That user's doing: a link in the place of a file that root writes.
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'not to be touched');
    if (isRoot) {
      rmSync(join(cluster, 'pg_hba.conf'));
      symlinkSync(elsewhere, join(cluster, 'pg_hba.conf'));
    }
    expect(await startAndLook().then(() => 'started', String)).toMatch(isRoot ? /ELOOP/ : /^started$/);
    expect(readFileSync(elsewhere, 'utf8')).toBe('not to be touched');
    expect(relative(join(folder, 'data'), cluster)).toMatch(isRoot ? place : /^postgres/);
    expect(statSync(cluster).uid === 0).toBe(false);
  });
});
