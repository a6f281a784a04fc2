import type { Variant } from '../facts/names.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { countedUpTo, readAtMost, type Overview } from './schema.ts';

/** A delivery is overdue so many seconds after it should have been attempted, as for `doctor`. */
const overdueAfterSeconds = 60;

/**
 * Unfinished deliveries of an account, and which of the oldest are overdue. A retry is due at its time, a first attempt when the delivery is made,
 * and that of a replay when the sweep would look at it, because the time of the request is not recorded.
 */
export const readBacklog = async (sql: Sql, accountId: string): Promise<Overview['backlog']> => {
  type Row = { status: 'pending' | 'retrying' | 'parked'; count: number; overdue: number; oldest: Date | null };
  // Webhook by webhook, as the index of unfinished deliveries is. Each status is a literal, for which it may be used.
  const oldest = (status: Fragment) => sql`
    select ${status} as status, count(*)::int as count, count(*) filter (where is_overdue)::int as overdue,
      min(due_at) filter (where is_overdue) as oldest
    from (
      select due_at, due_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds}) as is_overdue
      from webhooks w cross join lateral (
        select coalesce(next_attempt_at, case when round = 1 then created_at end, sweep_at) as due_at from deliveries
        where webhook_id = w.id and status = ${status} order by id limit ${readAtMost}) as unfinished
      where w.account_id = ${accountId} and w.deleted_at is null
      limit ${readAtMost}) as counted`;
  const rows = await sql<Row[]>`
    ${oldest(sql`'pending'`)} union all ${oldest(sql`'retrying'`)} union all ${oldest(sql`'parked'`)}`;
  const of = (status: Row['status']) => rows.find((row) => row.status === status);
  const counted = (status: Row['status']) => countedUpTo(of(status)?.count ?? 0);
  const [pending, retrying] = [of('pending'), of('retrying')];
  const due = [pending, retrying].flatMap((row) => row?.oldest ?? []);
  const overdue = (pending?.overdue ?? 0) + (retrying?.overdue ?? 0);
  return {
    pending: counted('pending'),
    retrying: counted('retrying'),
    parked: counted('parked'),
    overdue: countedUpTo(overdue),
    oldestOverdueAt: due.reduce<Date | null>((first, at) => (first !== null && first < at ? first : at), null),
  };
};

/**
 * Deliveries of an account that have failed or were dropped since then. The index has both, so each is looked for only where it can be: deliveries
 * fail of variant A, and are dropped of variant B. A list of webhooks makes theirs an order to ask for, see `accountPageOf`.
 */
export const readLostDeliveries = async (
  sql: Sql,
  { accountId, since }: { accountId: string; since: Date },
): Promise<Overview['lostDeliveries']> => {
  const lost = (variant: Variant, status: Fragment) => sql`
    select count(*)::int from (
      select from webhooks w cross join lateral (
        select from deliveries
        where webhook_id = any(array[w.id]) and status = ${status} and status in ('failed', 'dropped') and finished_at >= ${since} and not is_test
        order by webhook_id desc, finished_at desc limit ${readAtMost}) as lost
      where w.account_id = ${accountId} and w.deleted_at is null and w.variant = ${variant}
      limit ${readAtMost}) as counted`;
  const [row] = await sql<[{ failed: number; dropped: number }]>`
    select (${lost('api', sql`'failed'`)}) as failed, (${lost('dashboard', sql`'dropped'`)}) as dropped`;
  return { failed: countedUpTo(row.failed), dropped: countedUpTo(row.dropped) };
};
