import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { runWork } from './work.ts';

/** Has the open runs of a contact look again, because something has changed that they wait by. The caller has locked the contact. */
export const wakeRunsOf = async (tx: Transaction, contactId: string): Promise<void> => {
  const open = await tx.sql<{ id: string }[]>`
    select id from runs where contact_id = ${contactId} and ended_at is null order by id`;
  await tx.wake(
    runWork,
    open.map(({ id }) => id),
  );
};

/** How many runs of a resumed flow go on every second. */
const resumedPerSecond = 50;

/**
 * Has the runs of a flow that was paused go on, the oldest first and some every second: the sweep wakes them. A run that is locked is being
 * looked at, and stops no more at a pause that has ended (`storeOutcome`).
 */
export const wakePausedRuns = async (sql: Sql, flowId: string): Promise<void> => {
  await sql`
    with stopped as materialized (
      select id from runs where flow_id = ${flowId} and ended_at is null and waiting = 'paused'
      order by id for no key update skip locked
    ), paused as (select id, row_number() over (order by id) as place from stopped)
    update runs set sweep_at = clock_timestamp() + make_interval(secs => place::float8 / ${resumedPerSecond})
    from paused where runs.id = paused.id and ended_at is null`;
};
