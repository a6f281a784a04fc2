import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { attachPostgres, lockInstanceInTurn } from '../../src/shared/platform/embedded/attach.ts';
import { connectDatabase } from '../../src/shared/platform/db/connect.ts';
import { findHolder, findInstance, tryLockInstance } from '../../src/shared/platform/embedded/instance.ts';
import { startPostgres } from '../../src/shared/platform/embedded/postgres.ts';
import { findProcess } from '../../src/shared/platform/embedded/processes.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { parley, spawnParley, type Env } from './parley.ts';

const aDataDir = (): Env & { DATA_DIR: string } => {
  const folder = tempFolder('cli');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { DATA_DIR: join(folder, 'data') };
};

/** The data folder of an instance that was stopped, with no account in it. */
let stopped: string;
beforeAll(async () => {
  stopped = tempFolder('stopped');
  await (await attachPostgres(stopped)).release();
  // Who had it: this very process.
  rmSync(join(stopped, 'run'), { recursive: true });
});
afterAll(() => rmSync(stopped, { recursive: true }));

const aStoppedOne = (): ReturnType<typeof aDataDir> => {
  const env = aDataDir();
  execFileSync('cp', ['-a', stopped, env.DATA_DIR]);
  return env;
};

const create = ['accounts', 'create', '--name', 'Acme', '--email', 'a@example.com', '--json'];

const postgresPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

const isStopped = (dataDir: string): boolean =>
  !existsSync(join(dataDir, 'postgres', 'postmaster.pid')) && findHolder(dataDir) === undefined;

describe('a stopped instance', () => {
  test('is begun by accounts create, serves every command, and is stopped again after each', async () => {
    const env = aDataDir();
    const created = await parley(env, ...create);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(isStopped(env.DATA_DIR)).toBe(true);
    const { account_id } = z.object({ account_id: z.string() }).parse(created.json());
    const listed = await Promise.all([1, 2, 3].map(() => parley(env, 'accounts', 'list', '--json')));
    for (const { code, json } of listed) {
      expect(code).toBe(0);
      expect(json()).toMatchObject({ data: [{ id: account_id }] });
    }
    expect(isStopped(env.DATA_DIR)).toBe(true);
    expect(readdirSync(join(env.DATA_DIR, 'run'))).toEqual(['pg']);
  });

  test('that was never started is not made by looking at it', async () => {
    const env = aDataDir();
    const listed = await parley(env, 'accounts', 'list', '--json');
    expect(listed.code).toBe(1);
    expect(listed.json()).toMatchObject({ error: { code: 'not_found' } });
    const examined = await parley(env, 'doctor', '--json');
    expect(examined.json()).toMatchObject({ ok: true });
    expect(existsSync(env.DATA_DIR)).toBe(false);
  });

  test('has its PostgreSQL stopped also when the command is interrupted', async () => {
    const env = aStoppedOne();
    const { child, ended } = spawnParley(env, ...create);
    const pid = await vi.waitFor(() => {
      const run: { pid: number } = JSON.parse(readFileSync(join(env.DATA_DIR, 'run', 'postgres.json'), 'utf8'));
      return run.pid;
    }, 60_000);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(findProcess(pid)).toBeUndefined();
    expect(isStopped(env.DATA_DIR)).toBe(true);
  });

  test('is used by one command at a time: the next one waits, and never works on a server that is about to go', async () => {
    const { DATA_DIR } = aStoppedOne();
    const first = await attachPostgres(DATA_DIR);
    expect(findInstance(DATA_DIR)).toBeUndefined();
    const sql = connectDatabase(first.database, { max: 1 });
    const countSessions = async () => {
      const [row] = await sql<{ sessions: number }[]>`
        select sessions::int from pg_stat_database where datname = current_database()`;
      return row?.sessions ?? 0;
    };
    const before = await countSessions();
    const attaching = attachPostgres(DATA_DIR);
    // It has found the server, and has looked again.
    await vi.waitFor(async () => expect(await countSessions()).toBeGreaterThan(before + 1), 60_000);
    await sql.end();
    await first.release();
    const second = await attaching;
    await second.release();
    expect(isStopped(DATA_DIR)).toBe(true);
  });
});

describe('a running instance', () => {
  test('is waited for while it starts, and used as it is: its PostgreSQL keeps running', async () => {
    const { DATA_DIR } = aStoppedOne();
    const { lock } = tryLockInstance(DATA_DIR);
    const attaching = attachPostgres(DATA_DIR);
    const server = await startPostgres({ dataDir: DATA_DIR, log: () => {}, durable: false });
    try {
      expect(await attaching).toMatchObject({ database: server.database });
      expect(await parley({ DATA_DIR }, ...create)).toMatchObject({ code: 0, stderr: '' });
      expect(postgresPid(DATA_DIR)).toBe(server.pid);
      expect(findInstance(DATA_DIR)).toBe(process.pid);
    } finally {
      await server.stop();
      lock?.release();
    }
  });
});

describe('a start of the service', () => {
  test('waits while a command has the data folder, says so, and has it afterwards', async () => {
    const { DATA_DIR } = aStoppedOne();
    const command = await attachPostgres(DATA_DIR);
    const said: string[] = [];
    const starting = lockInstanceInTurn(DATA_DIR, (line) => said.push(line));
    await vi.waitFor(() => expect(said).toEqual([expect.stringContaining(`pid ${process.pid}`)]), { timeout: 60_000 });
    const pid = postgresPid(DATA_DIR);
    await command.release();
    const lock = await starting;
    expect(findProcess(pid)).toBeUndefined();
    lock.release();
  });

  test('does not wait for another instance', async () => {
    const { DATA_DIR } = aDataDir();
    const { lock } = tryLockInstance(DATA_DIR);
    await expect(lockInstanceInTurn(DATA_DIR, () => {})).rejects.toThrow(`already running (pid ${process.pid})`);
    lock?.release();
  });
});
