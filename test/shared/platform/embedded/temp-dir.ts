import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../../../helpers/temp-folder.ts';

/** A folder of the running test alone, which only this user can enter; removed after it. */
export function aTempDir(): string {
  const path = tempFolder('embedded');
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Collects the plain lines that the servers' starts say. */
export function aLog() {
  const lines: string[] = [];
  return { lines, log: (line: string) => void lines.push(line) };
}
