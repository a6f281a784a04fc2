import type { Sql } from '../../platform/db/connect.ts';
import { goneAfterSeconds } from '../../platform/processes/own-process.ts';

/** Rows of one statement. */
const atOnce = 500;

/** The longest lease of a row that a process sends, and the longest wait until the sweep looks at one that it has sent, in seconds. */
const lookedAtWithinSeconds = 60;

/** A process that has been gone for longer than this has nothing left, in seconds. */
const forgottenAfterSeconds = 600;

/**
 * Makes the deliveries overdue that a process has left which reports itself no more: those whose first attempt it was to make, and those that it
 * has recorded and not given a workflow. A row that somebody has locked waits for the next call.
 */
export const releaseGone = async (sql: Sql): Promise<void> => {
  const gone = await sql<{ id: string }[]>`
    select id from processes
    where seen_at between clock_timestamp() - make_interval(secs => ${forgottenAfterSeconds}) and clock_timestamp() - make_interval(secs => ${goneAfterSeconds})`;
  if (gone.length === 0) return;
  for (;;) {
    const released = await sql`
      update deliveries set sweep_at = clock_timestamp()
      where id = any(array(
        select id from deliveries
        where sweep_at > now() and sweep_at < now() + make_interval(secs => ${lookedAtWithinSeconds}) and in_progress
          and sender = any(${gone.map(({ id }) => id)}::uuid[])
        order by sweep_at limit ${atOnce} for no key update skip locked))`;
    if (released.count < atOnce) return;
  }
};
