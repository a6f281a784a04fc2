import { accountAllowsWebhooks } from '../accounts/plans.ts';
import type { Database, Sql } from '../platform/db/connect.ts';
import { showId } from '../ids.ts';
import type { Logger } from '../platform/log.ts';
import { isActive } from '../webhooks/preconditions.ts';
import { beyondCap } from './count.ts';

/** Deliveries of an account that its lapsed plan has parked, and that wait for a replay; the oldest was made at `since`. */
type LeftByPlan = { accountId: string; count: number; since: Date };

/** The most accounts that one look reports. The next look reports the others. */
const toldAtOnce = 100;

/**
 * Accounts whose plan allows webhooks again, with what was parked before it did for webhooks that are active and were so then: of what
 * a disabled webhook has kept, its owner was asked when it was re-enabled. Counted as far as `beyondCap`, of all accounts together.
 */
export const findLeftByPlan = (
  sql: Sql,
  { accountId, limit }: { accountId?: string; limit: number },
): Promise<LeftByPlan[]> => sql<LeftByPlan[]>`
  select account_id, count(*)::int as count, min(uuid_extract_timestamp(id)) as since
  from (
    select w.account_id, d.id
    from webhooks w join accounts a on a.id = w.account_id,
      lateral (select coalesce(w.verified_at, w.created_at) as at) as active
      cross join lateral (
        select id from deliveries
        where webhook_id = w.id and status = 'parked' and not is_test and id >= uuid_from_time(active.at - interval '1 day')
          and parked_at > active.at and parked_at <= a.plan_changed_at
        limit ${beyondCap}) as d
    where ${isActive(sql)} and ${accountAllowsWebhooks(sql)}
      ${accountId === undefined ? sql`` : sql`and a.id = ${accountId}`}
    limit ${beyondCap}) as parked
  group by account_id order by account_id limit ${limit}`;

/** Logs what is left parked for accounts whose plan allows webhooks again, once per change of plan and from one process. */
export const tellLeftByPlan = async (db: Database, log: Logger): Promise<void> => {
  const changed = await db<{ id: string }[]>`
    update accounts set plan_told_at = plan_changed_at
    where id in (
      select id from accounts
      where plan_changed_at > coalesce(plan_told_at, '-infinity') and ${accountAllowsWebhooks(db)}
      order by plan_changed_at limit ${toldAtOnce} for no key update skip locked)
    returning id`;
  for (const { id } of changed) {
    const [left] = await findLeftByPlan(db, { accountId: id, limit: 1 });
    if (left) log.info({ account_id: showId('account', id), parked: left.count }, 'plan.back');
  }
};
