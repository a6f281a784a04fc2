import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { findBinaries } from '../../../../scripts/binaries.mjs';
import { connectDatabase } from '../../../../src/shared/platform/db/connect.ts';
import {
  type ProcessIdentity,
  findProcessesIn,
  isAlive,
  stopProcess,
} from '../../../../src/shared/platform/embedded/processes.ts';
import { type EmbeddedOptions, startEmbedded } from '../../../../src/shared/platform/embedded/start-embedded.ts';
import { aLog, aTempDir } from './temp-dir.ts';

const identity = z.object({ pid: z.number(), startTime: z.string() });

/** The servers that a data folder's notes name. */
function notedProcesses(dataDir: string): ProcessIdentity[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(dataDir, 'run', name), 'utf8'));
  return [identity.parse(read('postgres.json')), z.object({ process: identity }).parse(read('temporal.json')).process];
}

function startFor(dataDir: string, options: Partial<EmbeddedOptions> = {}) {
  return startEmbedded({ config: { dataDir }, log: () => {}, durable: false, ...options });
}

async function query(database: string, statement: string) {
  const sql = connectDatabase(database, { max: 1 });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

/** A process that starts both servers and waits; returns it with where they are. */
async function aParent(
  dataDir: string,
  ...options: 'temporary'[]
): Promise<{ parent: ChildProcess; database: string }> {
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'crashing-parent.ts'), dataDir, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(parent.stdout), 'line');
  return { parent, ...z.object({ database: z.string() }).parse(JSON.parse(String(line))) };
}

describe('both servers', () => {
  test('keep their data and addresses over a restart, which takes seconds', async () => {
    const dataDir = aTempDir();
    const first = await startFor(dataDir);
    await query(first.database, 'create table kept as select 42 as answer');
    await first.stop();

    const startedAt = Date.now();
    const second = await startFor(dataDir);
    // Below five on a machine of its own; here other tests run beside it.
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    expect(second.database).toEqual(first.database);
    expect(second.temporal.address).toBe(first.temporal.address);
    expect(second.temporal.uiUrl).toBe(first.temporal.uiUrl);
    expect(await query(second.database, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect((await fetch(String(second.temporal.uiUrl))).status).toBe(200);
    const processes = notedProcesses(dataDir);
    await Promise.all([second.stop(), second.stop()]);
    await second.stop();
    expect(processes.map(isAlive)).toEqual([false, false]);
  });

  test('of two data folders run side by side, and a second start on one of them is refused without harm', async () => {
    const [left, right] = [aTempDir(), aTempDir()];
    const [first, second] = await Promise.all([startFor(left), startFor(right)]);
    expect(first.temporal.address).not.toBe(second.temporal.address);
    await expect(startFor(left)).rejects.toThrow(`already running (pid ${process.pid})`);
    await query(first.database, 'create table only_left (id int)');
    await expect(query(second.database, 'select * from only_left')).rejects.toThrow('does not exist');
    await Promise.all([first.stop(), second.stop()]);
  });

  test('outlive a killed parent, and the next start stops them and goes on with their data', async () => {
    const dataDir = aTempDir();
    const { parent, database } = await aParent(dataDir);
    await query(database, 'create table kept as select 42 as answer');
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const orphans = notedProcesses(dataDir);
    expect(orphans.map(isAlive)).toEqual([true, true]);

    const { lines, log } = aLog();
    const next = await startFor(dataDir, { log });
    expect(orphans.map(isAlive)).toEqual([false, false]);
    expect(lines.sort()).toEqual([
      `stopping the PostgreSQL that a former start left running (pid ${orphans[0]?.pid})`,
      `stopping the Temporal server that a former start left running (pid ${orphans[1]?.pid})`,
    ]);
    expect(await query(next.database, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await next.stop();
  });

  test('on a temporary folder end with a killed parent', async () => {
    const dataDir = aTempDir();
    const { parent } = await aParent(dataDir, 'temporary');
    const servers = notedProcesses(dataDir);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(servers.map(isAlive)).toEqual([false, false]), { timeout: 60_000 });
  });

  test('are found after a crash even when the notes about them are missing or damaged', async () => {
    const dataDir = aTempDir();
    const { parent } = await aParent(dataDir);
    const orphans = notedProcesses(dataDir);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const run = join(dataDir, 'run');
    const { ports } = JSON.parse(readFileSync(join(run, 'temporal.json'), 'utf8'));
    // Temporal's ports are noted before it is spawned, so at least those are always there.
    writeFileSync(join(run, 'temporal.json'), JSON.stringify({ ports }));
    writeFileSync(join(run, 'postgres.json'), '{"pid":');
    const next = await startFor(dataDir);
    expect(orphans.map(isAlive)).toEqual([false, false]);
    await next.stop();
  });

  test('stop in order on SIGTERM to their parent, leaving no process and no lock', async () => {
    const dataDir = aTempDir();
    const { parent } = await aParent(dataDir);
    const processes = notedProcesses(dataDir);
    parent.kill('SIGTERM');
    await once(parent, 'exit');
    expect(processes.map(isAlive)).toEqual([false, false]);
    expect(existsSync(join(dataDir, 'run', 'instance.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('are not left half started: PostgreSQL stops when Temporal cannot start, and the folder is free again', async () => {
    const dataDir = aTempDir();
    const broken = join(dataDir, 'broken');
    writeFileSync(broken, '#!/bin/sh\necho "no such flag" >&2\nexit 3\n', { mode: 0o755 });
    await expect(startFor(dataDir, { temporalBinary: broken })).rejects.toThrow(
      /Temporal did not start \(exit code 3\):\nno such flag/,
    );
    expect(readdirSync(join(dataDir, 'run')).sort()).toEqual(['pg', 'temporal.json']);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    await expect(startFor(dataDir, { temporalBinary: join(dataDir, 'nothing') })).rejects.toThrow('cannot be started');
  });

  test('that end by themselves are started again where they were, with what was committed', async () => {
    const dataDir = aTempDir();
    const { lines, log } = aLog();
    const embedded = await startFor(dataDir, { log, durable: true });
    onTestFinished(() => embedded.stop());
    const sql = connectDatabase(embedded.database, { max: 2 });
    onTestFinished(() => sql.end({ timeout: 1 }));
    await sql`create table kept as select 42 as answer`;
    // A query that goes on after the server's end would hold its shared memory.
    const busy = sql`select count(*) from generate_series(1, 10000000000)`.then(String, String);
    const isBusy = () =>
      sql`select 1 from pg_stat_activity where query like '%generate_series%' and pid <> pg_backend_pid()`;
    await vi.waitUntil(async () => (await isBusy()).count === 1, { timeout: 60_000 });
    const killed = notedProcesses(dataDir);
    for (const { pid } of killed) process.kill(pid, 'SIGKILL');

    expect(await busy).toMatch(/CONNECTION_|57P/);
    await vi.waitUntil(() => lines.filter((line) => line.endsWith('runs again')).length === 2, { timeout: 60_000 });
    expect(lines).toEqual(
      expect.arrayContaining([
        'PostgreSQL has ended by itself (signal SIGKILL): starting it again',
        'Temporal has ended by itself (signal SIGKILL): starting it again',
      ]),
    );
    expect(await sql`select answer from kept`).toEqual([{ answer: 42 }]);
    expect((await fetch(String(embedded.temporal.uiUrl))).status).toBe(200);
    const processes = notedProcesses(dataDir);
    expect([...killed, ...processes].map(isAlive)).toEqual([false, false, true, true]);
    await embedded.stop();
    expect(processes.map(isAlive)).toEqual([false, false]);
  });

  test('stop cleanly in the middle of a restart, leaving no process and no lock', async () => {
    const dataDir = aTempDir();
    const embedded = await startFor(dataDir);
    const killed = notedProcesses(dataDir);
    await Promise.all(killed.map((server) => stopProcess(server, { signals: ['SIGKILL'], graceMs: 5_000 })));
    await embedded.stop();
    expect(findProcessesIn(join(dataDir, 'postgres'))).toEqual([]);
    expect(JSON.parse(readFileSync(join(dataDir, 'run', 'temporal.json'), 'utf8'))).not.toHaveProperty('process');
    expect(readdirSync(join(dataDir, 'run')).sort()).toEqual(['pg', 'temporal.json']);
    await (await startFor(dataDir)).stop();
  });

  test('are told of when they do not come back', async () => {
    const dataDir = aTempDir();
    const binary = join(dataDir, 'temporal-cli');
    symlinkSync(String(findBinaries().temporal), binary);
    const embedded = await startFor(dataDir, { temporalBinary: binary, restartPausesMs: [0, 10] });
    rmSync(binary);
    writeFileSync(binary, '#!/bin/sh\necho "disk full" >&2\nexit 3\n', { mode: 0o755 });
    const [, temporal] = notedProcesses(dataDir);
    process.kill(temporal?.pid ?? 0, 'SIGKILL');
    expect(await embedded.lost).toMatch(
      /^Temporal has ended by itself and does not come back \(.*disk full\): see the log/s,
    );
    await embedded.stop();
  });
});

test('with both servers given, nothing is started and the data folder is not taken', async () => {
  const dataDir = aTempDir();
  const given = { dataDir, databaseUrl: 'postgres://db.example/parley', temporalAddress: 'temporal.example:7233' };
  const embedded = await startEmbedded({ config: given, log: () => {} });
  expect(embedded.database).toBe(given.databaseUrl);
  expect(embedded.temporal).toMatchObject({ address: given.temporalAddress });
  expect(readdirSync(dataDir)).toEqual([]);
  await embedded.stop();
});
