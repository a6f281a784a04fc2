import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of the running test alone, which only this user can enter; removed after it. */
export function aTempDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-embedded-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Collects the plain lines that the servers' starts say. */
export function aLog() {
  const lines: string[] = [];
  return { lines, log: (line: string) => void lines.push(line) };
}
