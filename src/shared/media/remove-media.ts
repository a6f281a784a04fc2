import type { Database, Sql } from '../platform/db/connect.ts';
import { unusedHours } from './limits.ts';
import { keysOf, type MediaStore } from './store.ts';

type Deps = {
  db: Database;
  store: MediaStore;
  /** How many days files of messages are kept; undefined: for good. */
  retentionDays?: number | undefined;
};

type Which = { accountId: string; id: string };

/** A file that has not come whole within so many minutes never does: requests end much sooner. */
const receivingMinutes = 30;

/** The most files that one statement marks. */
const batch = 100;

/**
 * Removes files: those that are older than they are kept, those that no message uses for a day, those that have not come whole, and those whose
 * removal was cut off. Each is marked first, and its row goes after its file: what is killed in between is done again. Several processes may do it at
 * the same time. Answers how many.
 */
export const removeMedia = async ({ db, store, retentionDays }: Deps, signal?: AbortSignal): Promise<number> => {
  let removed = 0;
  for (;;) {
    signal?.throwIfAborted();
    await markUnused(db);
    if (retentionDays !== undefined) await markOld(db, retentionDays);
    const marked = await db<Which[]>`
      select account_id, id from media where state = 'removing' order by created_at limit ${batch}`;
    for (const which of marked) {
      signal?.throwIfAborted();
      await removeMarked({ db, store }, which);
    }
    removed += marked.length;
    if (marked.length < batch) return removed;
  }
};

/** A message that begins to use a file meanwhile changes its row: this then looks at it again, and leaves it. */
const markUnused = async (sql: Sql): Promise<void> => {
  await sql`
    update media set state = 'removing' where id = any(array(
      select id from media
      where (state = 'stored' and used_at is null and created_at < now() - make_interval(hours => ${unusedHours}))
        or (state = 'receiving' and created_at < now() - make_interval(mins => ${receivingMinutes}))
      order by created_at limit ${batch} for update skip locked))`;
};

/** Their messages stay, and say that the file is not there. */
const markOld = async (sql: Sql, days: number): Promise<void> => {
  await sql`
    update media set state = 'removing' where id = any(array(
      select id from media where state = 'stored' and created_at < now() - make_interval(days => ${days})
      order by created_at limit ${batch} for update skip locked))`;
};

const removeMarked = async ({ db, store }: Deps, { accountId, id }: Which): Promise<void> => {
  const { file, thumbnail } = keysOf({ accountId, id });
  await store.remove(thumbnail);
  await store.remove(file);
  // What did not come whole has not been counted.
  await db`
    with gone as (
      delete from media where id = ${id} and state = 'removing' returning account_id, bytes
    )
    update media_usage u set bytes = u.bytes - gone.bytes, files = u.files - 1
    from gone where u.account_id = gone.account_id and gone.bytes is not null`;
};

/** Removes a file that has not come whole, with its row. */
export const dropMedia = async (deps: Deps, { accountId, id }: Which): Promise<void> => {
  const marked = await deps.db`
    update media set state = 'removing' where id = ${id} and account_id = ${accountId} and state = 'receiving'`;
  if (marked.count > 0) await removeMarked(deps, { accountId, id });
};
