import type { Database, Sql } from '../../src/shared/platform/db/connect.ts';
import { newUuid } from '../../src/shared/ids.ts';

/** An event and a delivery in one statement, as the service writes them, with the columns that every version has. */
export const writeOnce = (db: Sql): Promise<unknown> => db`
  with event as (
    insert into events (id, account_id, name, channel, data, occurred_at)
    values (uuidv7(), ${newUuid()}, 'new_contact', 'api', '{}', now())
  )
  insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, body, status)
  values (uuidv7(), ${newUuid()}, ${newUuid()}, uuidv7(), 'new_contact', 'api', '{}', 'delivered')`;

/** Calls `write` again and again from two sides, until `stop` answers how often, and how long the slowest took, in ms. */
export const keepWriting = (write: () => Promise<unknown>) => {
  const stopping = new AbortController();
  let slowestMs = 0;
  let written = 0;
  const goOn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const since = performance.now();
      await write();
      slowestMs = Math.max(slowestMs, performance.now() - since);
      written += 1;
    }
  };
  const writers = Promise.all([goOn(), goOn()]);
  // One that fails is told by stop().
  writers.catch(() => {});
  return {
    written: () => written,
    stop: async () => {
      stopping.abort();
      await writers;
      return { slowestMs, written };
    },
  };
};

/**
 * How much longer a write may take beside work on the logs, in ms: that work has a lock for 200 ms at most. A writer that it does hold up waits
 * until the test lets go of what the work waits for.
 */
export const heldUpAtMostMs = 5_000;

/**
 * The same beside writers to another table of this database, which nobody locks. `stop` answers how much longer the slowest took than theirs,
 * in ms: a slow machine is slow for both.
 */
export const keepComparing = async (db: Database, write: () => Promise<unknown>) => {
  await db`create table if not exists beside_the_logs (at timestamptz)`;
  const [writing, beside] = [keepWriting(write), keepWriting(() => db`insert into beside_the_logs values (now())`)];
  return {
    written: writing.written,
    stop: async () => {
      const [{ slowestMs, written }, others] = await Promise.all([writing.stop(), beside.stop()]);
      return { heldUpMs: slowestMs - others.slowestMs, written };
    },
  };
};

/** A transaction that has read the deliveries and does not end until it is told to, as a backup's. */
export const aLongReader = async (db: Database) => {
  const reading = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const ended = db.begin(async (sql) => {
    await sql`select count(*) from deliveries`;
    reading.resolve();
    await done.promise;
  });
  await reading.promise;
  return {
    end: async () => {
      done.resolve();
      await ended;
    },
  };
};
