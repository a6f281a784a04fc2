import type { components } from '../../../api/paths.gen.d.ts';
import { placeOf } from '../../../live/place.ts';

type Schemas = components['schemas'];

/** What stands in a thread: what was said, notes, what was done, and lines where a day begins. */
export type Entry =
  | { type: 'message'; id: string; row: Schemas['Message'] }
  | { type: 'note'; id: string; row: Schemas['Note'] }
  | { type: 'act'; id: string; row: Schemas['Act'] }
  | { type: 'day'; id: string; at: string };

type Rows<Row> = { rows: readonly Row[]; hasMore: boolean };

type Lists = { messages: Rows<Schemas['Message']>; notes: Rows<Schemas['Note']>; acts: Rows<Schemas['Act']> };

/** The place from which on every list is loaded; empty where all of them are to their beginnings. What is older in one may come between others. */
export const loadedFrom = ({ messages, notes, acts }: Lists): string =>
  [messages, notes, acts]
    .map(({ rows, hasMore }) => (hasMore ? placeOf(rows.at(-1)?.id ?? '') : ''))
    .reduce((one, other) => (one > other ? one : other));

/** The entries of a thread, the oldest first, from lists that have the newest first. `sayDay` tells days apart. */
export const createEntries = (lists: Lists, sayDay: (at: string) => string): Entry[] => {
  const from = loadedFrom(lists);
  const entries: Exclude<Entry, { type: 'day' }>[] = [
    ...lists.messages.rows.map((row) => ({ type: 'message' as const, id: row.id, row })),
    ...lists.notes.rows.map((row) => ({ type: 'note' as const, id: row.id, row })),
    ...lists.acts.rows.map((row) => ({ type: 'act' as const, id: row.id, row })),
  ];
  const shown = entries
    .filter(({ id }) => placeOf(id) >= from)
    .toSorted((one, other) => (placeOf(one.id) < placeOf(other.id) ? -1 : 1));
  let day = '';
  return shown.flatMap((entry): Entry[] => {
    const own = sayDay(entry.row.created_at);
    if (own === day) return [entry];
    day = own;
    return [{ type: 'day', id: `day ${own}`, at: entry.row.created_at }, entry];
  });
};
