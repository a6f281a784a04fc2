import { accountAllowsWebhooks, planAllowsWebhooks, type Plan } from '../accounts/plans.ts';
import type { Sql } from '../platform/db/connect.ts';
import { RequestError } from '../errors.ts';
import { shareWebhooks } from './locks.ts';

/** The precondition for being sent to that a webhook does not meet. */
export type UnmetPrecondition = 'webhook_deleted' | 'webhook_disabled' | 'plan_lapsed';

/**
 * SQL: the first precondition that webhook `w` of account `a` does not meet; null when it may be sent to. Attempts, events, replays and test
 * events all decide by this.
 */
export const unmetPrecondition = (sql: Sql) => sql`
  case
    when w.deleted_at is not null then 'webhook_deleted'
    when not (${accountAllowsWebhooks(sql)}) then 'plan_lapsed'
    when w.status <> 'active' then 'webhook_disabled'
  end`;

/** SQL: whether webhook `w` meets every precondition but the plan's, which is asked under its lock. */
export const isActive = (sql: Sql) => sql`w.status = 'active' and w.deleted_at is null`;

/**
 * Shares the locks of these webhooks, so that none is disabled, deleted or re-enabled and no plan changes until the transaction ends. Answers
 * which precondition each does not meet; null when it may be sent to. Call it before locking any delivery, as everybody does.
 */
export const checkPreconditions = async (
  sql: Sql,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, UnmetPrecondition | null>> => {
  const ids = [...new Set(webhookIds)];
  await shareWebhooks(sql, ids);
  // Read after the lock is granted, to see what its last holder has changed.
  const rows = await sql<{ id: string; unmet: UnmetPrecondition | null }[]>`
    select w.id, ${unmetPrecondition(sql)} as unmet
    from webhooks w join accounts a on a.id = w.account_id where w.id = any(${ids}::uuid[])`;
  return new Map(rows.map(({ id, unmet }) => [id, unmet]));
};

/** Throws `plan_required` for a plan without webhooks (specification 1.5). */
export const requirePlan = (plan: Plan): void => {
  if (!planAllowsWebhooks(plan)) throw planRequired();
};

const planRequired = () => new RequestError('plan_required', 'Webhooks need the plan pro or higher.');

/** Throws when a precondition is not met: 403 `plan_required`, or 409 `conflict`. */
export const requirePreconditions = (unmet: UnmetPrecondition | null | undefined): void => {
  if (!unmet) return;
  if (unmet === 'plan_lapsed') throw planRequired();
  const state = unmet === 'webhook_deleted' ? 'was deleted' : 'is disabled';
  throw new RequestError('conflict', `The webhook ${state}: nothing is sent to it.`);
};
