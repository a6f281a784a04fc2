import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findInstance, tryLockInstance } from '../../../../src/shared/platform/embedded/instance.ts';
import { findProcess, isAlive, stopProcess } from '../../../../src/shared/platform/embedded/processes.ts';
import { aTempDir } from './temp-dir.ts';

/** A process as the lock names it. */
function identityOf(pid: number) {
  const { startTime } = findProcess(pid) ?? {};
  return { pid, startTime };
}

function writeLock(dataDir: string, content: string): void {
  mkdirSync(join(dataDir, 'run'));
  writeFileSync(join(dataDir, 'run', 'instance.json'), content);
}

describe('the lock of a data folder', () => {
  test('is held by one at a time, names its holder to the second, and is free after release', () => {
    const dataDir = aTempDir();
    const { lock } = tryLockInstance(dataDir);
    expect(tryLockInstance(dataDir)).toEqual({ holder: { ...identityOf(process.pid), isCommand: false } });
    expect(findInstance(dataDir)).toBe(process.pid);
    lock?.release();
    expect(findInstance(dataDir)).toBeUndefined();
    tryLockInstance(dataDir).lock?.release();
    expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
  });

  test('of a process that has ended is taken over', async () => {
    const dataDir = aTempDir();
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const holder = findProcess(child.pid ?? 0);
    writeLock(dataDir, JSON.stringify(holder));
    expect(tryLockInstance(dataDir)).toMatchObject({ holder: { pid: child.pid } });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(findInstance(dataDir)).toBeUndefined();
    expect(tryLockInstance(dataDir).lock).toBeDefined();
  });

  test('of another process under the same pid is taken over', () => {
    const dataDir = aTempDir();
    writeLock(dataDir, JSON.stringify({ pid: process.pid, startTime: 'another' }));
    expect(findInstance(dataDir)).toBeUndefined();
    tryLockInstance(dataDir);
    expect(findInstance(dataDir)).toBe(process.pid);
  });

  test.each(['', '{"pid":', '{"pid":-1,"startTime":"x"}', 'null', '\0\0\0'])(
    'that is damaged (%j) is taken over',
    (content) => {
      const dataDir = aTempDir();
      writeLock(dataDir, content);
      tryLockInstance(dataDir);
      expect(findInstance(dataDir)).toBe(process.pid);
    },
  );

  test('is not removed by a release after somebody else has taken it', () => {
    const dataDir = aTempDir();
    const { lock } = tryLockInstance(dataDir);
    const other = JSON.stringify(findProcess(process.ppid));
    writeFileSync(join(dataDir, 'run', 'instance.json'), other);
    lock?.release();
    expect(findInstance(dataDir)).toBe(process.ppid);
  });
});

describe('stopping a process', () => {
  test('that ignores the gentle signal uses the next one', async () => {
    const child = spawn(process.execPath, [
      '-e',
      'process.on("SIGTERM", () => {}); console.log("on"); setInterval(() => {}, 1000)',
    ]);
    await once(child.stdout, 'data');
    const identity = findProcess(child.pid ?? 0);
    if (identity === undefined) throw new Error('the child is gone');
    await stopProcess(identity, { signals: ['SIGTERM', 'SIGKILL'], graceMs: 100 });
    expect(isAlive(identity)).toBe(false);
  });

  test('never touches another process that has its pid now', async () => {
    const gone = { pid: process.pid, startTime: 'another' };
    await expect(stopProcess(gone, { signals: ['SIGKILL'], graceMs: 100 })).resolves.toBeUndefined();
  });
});
