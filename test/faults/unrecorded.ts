import { vi } from 'vitest';
import { readId } from '../../src/shared/ids.ts';
import type { Installation } from './installation.ts';
import type { Ledger } from './ledger.ts';
import { patienceMs } from './patience.ts';

/** Ids that were sent in the life that has just ended, and of which it left no record: at least once, they come again. */
export const countUnrecorded = async ({ db }: Installation, posts: Ledger['posts']): Promise<number> => {
  const connected = async () => db`select 1 from pg_stat_activity where application_name = 'parley'`;
  // What was under way in the database is carried out yet.
  await vi.waitUntil(async () => (await connected()).length === 0, { timeout: patienceMs, interval: 20 });
  const ids = [...new Set(posts.map(({ id }) => readId('delivery', id)))];
  const recorded = await db`select distinct delivery_id from attempts where delivery_id = any(${ids}::uuid[])`;
  return ids.length - recorded.length;
};
