import type { Sql } from '../db/connect.ts';
import { goneAfterSeconds } from './own-process.ts';

const atOnce = 500;

/** The longest time to the sweep of a row that a process sends or has sent, in seconds. */
const sweptWithinSeconds = 60;

/** The time after which a process that is gone has no rows left, in seconds. */
const forgottenAfterSeconds = 600;

/** Makes rows overdue whose `sender` has stopped reporting: unsent ones and those without their workflow. The next call takes locked rows. */
export const releaseGone = async (sql: Sql, table: string): Promise<void> => {
  const gone = await sql<{ id: string }[]>`
    select id from processes
    where seen_at between clock_timestamp() - make_interval(secs => ${forgottenAfterSeconds}) and clock_timestamp() - make_interval(secs => ${goneAfterSeconds})`;
  if (gone.length === 0) return;
  for (;;) {
    const released = await sql`
      update ${sql(table)} set sweep_at = clock_timestamp()
      where id = any(array(
        select id from ${sql(table)}
        where sweep_at > now() and sweep_at < now() + make_interval(secs => ${sweptWithinSeconds}) and in_progress
          and sender = any(${gone.map(({ id }) => id)}::uuid[])
        order by sweep_at limit ${atOnce} for no key update skip locked))`;
    if (released.count < atOnce) return;
  }
};
