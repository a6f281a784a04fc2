import type { Sql } from '../../platform/db/connect.ts';
import type { Transaction } from '../../platform/dispatch/transact.ts';
import { runWork } from '../work.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransaction } from '../../facts/tell.ts';

/**
 * Wakes the open runs of a contact, because something has changed that they wait by; not the one that has changed it. The caller has
 * locked the contact.
 */
export const wakeRunsOf = async (
  tx: Transaction,
  contactId: string,
  { except = null }: { except?: string | null | undefined } = {},
): Promise<void> => {
  const open = await tx.sql<{ id: string }[]>`
    select id from runs where contact_id = ${contactId} and ended_at is null and id is distinct from ${except} order by id`;
  await tx.wake(
    runWork,
    open.map(({ id }) => id),
  );
};

/** How many of many runs that are woken at once go on every second. */
const wokenPerSecond = 50;

/** SQL: the wake of runs, numbered by `place`, some every second, by the sweep. */
export const atItsPlace = (sql: Sql) =>
  sql`sweep_at = clock_timestamp() + make_interval(secs => place::float8 / ${wokenPerSecond})`;

/**
 * Has the runs of a flow that was paused go on, the oldest first: those of the first second are woken at once, and of the others some every
 * second, by the sweep. A run that is locked is in a pass, and stops no more at a pause that has ended (`storePass`).
 */
export const wakePausedRuns = async (
  tx: EventTransaction,
  flowId: string,
  { atOnce = wokenPerSecond }: { atOnce?: number } = {},
): Promise<void> => {
  const { sql } = tx;
  const first = await sql<{ id: string; accountId: string }[]>`
    with stopped as materialized (
      select id, account_id from runs where flow_id = ${flowId} and ended_at is null and waiting = 'paused'
      order by id for no key update skip locked
    ), numbered as (select id, account_id, row_number() over (order by id) as place from stopped), later as (
      update runs set ${atItsPlace(sql)} from numbered where runs.id = numbered.id and ended_at is null and place > ${atOnce})
    select id, account_id from numbered where place <= ${atOnce} order by id`;
  await tx.wake(
    runWork,
    first.map(({ id }) => id),
  );
  if (first[0]) await tx.tell(changed(first[0].accountId, 'runs'));
};
