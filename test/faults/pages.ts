import { expect } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { patienceMs } from './patience.ts';
import type { Person } from './people.ts';

type Row = { id: string; direction: 'inbound' | 'outbound'; text: string };

/** Rejects unless each page of a person comes to show these rows of the table, and shows no more. */
export const comparePages = async ({ pages }: Person, rows: readonly Row[]): Promise<void> => {
  const stored = rows.map(({ id, direction, text }) => ({
    id: showId('message', id),
    isMine: direction === 'inbound',
    text,
  }));
  const shown = async () => (await pages()).map((page) => page.map(({ id, isMine, text }) => ({ id, isMine, text })));
  const waiting = { timeout: patienceMs, interval: 100 };
  await expect.poll(shown, waiting).toEqual((await pages()).map(() => stored));
};
