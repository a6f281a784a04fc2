import { appendFile } from 'node:fs/promises';
import { expect, inject } from 'vitest';
import { faults, type Fault } from './faults.ts';
import { suiteMode } from './suite-mode.ts';
import type { Tally } from './ledger.ts';
import type { Result } from './table.ts';

/**
 * Puts what came of a fault into the table, and fails when it took longer than the fault may. `sinceMs` is when the fault had
 * its end, in ms since the epoch; what had waited for it may take `backlogSeconds` more.
 */
export const report = async (
  fault: Fault,
  { lastAtMs, ...counts }: Tally,
  { sinceMs, note, backlogSeconds = 0 }: { sinceMs: number; note?: string; backlogSeconds?: number },
): Promise<void> => {
  const recoverySeconds = Math.max(0, lastAtMs - sinceMs) / 1000;
  const result: Result = { fault, mode: suiteMode, ...counts, recoverySeconds, ...(note !== undefined && { note }) };
  await appendFile(inject('faultResults'), `${JSON.stringify(result)}\n`);
  expect(recoverySeconds, `${fault}: seconds until it had recovered`).toBeLessThan(
    faults[fault].withinSeconds + backlogSeconds,
  );
};
