import { planAllowsWebhooks, plans } from '../../shared/accounts/plans.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { showId } from '../../shared/ids.ts';
import { ok, warning, type Finding } from './finding.ts';

const part = 'Parked';
/** Webhooks that are named; the rest are named when these are mended. */
const namedAtMost = 5;
/** More deliveries than this are not counted. */
const countedAtMost = 10_000;

/**
 * Deliveries that were parked after their webhook could be sent to again: nobody is asked whether to replay those. A process of
 * 0.2 that re-enables a webhook does not wait for one of this version that parks beside it, so this is looked for after an
 * upgrade. What was parked before, and what its owner chose not to replay, is no such delivery. It does not tell of what a
 * process of 0.2 has parked, nor of a replay of a delivery older than a day; and a plan that came back by a command of 0.2 has
 * left no time, so that what was parked for want of it counts.
 */
export const examineParked = async (sql: Sql): Promise<Finding> => {
  const late = await sql<{ accountId: string; webhookId: string; count: number; since: Date }[]>`
    select account_id, webhook_id, count(*)::int as count, min(uuid_extract_timestamp(id)) as since
    from (
      select d.id, d.account_id, d.webhook_id
      from webhooks w join accounts a on a.id = w.account_id,
        lateral (select greatest(coalesce(w.verified_at, w.created_at), a.plan_changed_at) as at) as sendable
        cross join lateral (
          select id, account_id, webhook_id from deliveries
          where webhook_id = w.id and status = 'parked' and id >= uuid_from_time(sendable.at - interval '1 day') and parked_at > sendable.at
          limit ${countedAtMost}) as d
      where w.status = 'active' and w.deleted_at is null and a.plan = any(${plans.filter(planAllowsWebhooks)})
      limit ${countedAtMost}) as parked
    group by account_id, webhook_id order by webhook_id limit ${namedAtMost}`;
  if (late.length === 0) return ok(part, 'none but for webhooks that may not be sent to, or from before they might be');
  const named = late.map(({ webhookId, count }) => `${count} of ${showId('webhook', webhookId)}`).join(', ');
  const commands = late.map(
    ({ accountId, webhookId, since }) =>
      `parley replays start --account ${showId('account', accountId)} --webhook ${showId('webhook', webhookId)} --status parked --since ${since.toISOString()}`,
  );
  return warning(part, `after their webhook could be sent to again: ${named}`, commands.join('; '));
};
