import { appendFile } from 'node:fs/promises';
import { expect, inject } from 'vitest';
import type { Attack } from './attacks.ts';
import type { Result } from './table.ts';

/**
 * Puts what came of an attack into the table, and fails when anything got through. `tried` counts the tries, `through` those
 * that did what they must not; `note` adds what was measured.
 */
export const reportAttack = async (
  attack: Attack,
  { tried, through, note }: { tried: number; through: number; note?: string },
): Promise<void> => {
  const result: Result = { attack, tried, through, ...(note !== undefined && { note }) };
  await appendFile(inject('attackResults'), `${JSON.stringify(result)}\n`);
  expect(tried, `${attack}: tries`).toBeGreaterThan(0);
  expect(through, `${attack}: got through`).toBe(0);
};
