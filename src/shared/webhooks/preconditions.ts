import { planAllowsWebhooks, type Plan } from '../accounts/plans.ts';
import type { Sql } from '../platform/db/connect.ts';
import { RequestError } from '../errors.ts';
import { shareWebhooks } from './locks.ts';

/** Why a webhook may not be sent to. */
export type Obstacle = 'webhook_deleted' | 'webhook_disabled' | 'plan_lapsed';

/**
 * Shares these webhooks until the transaction ends, so that none is disabled, deleted or re-enabled and no plan changed meanwhile,
 * and tells what stands against sending to each; undefined is nothing. Take it before any delivery's lock, as everybody does.
 */
export const findObstacles = async (
  sql: Sql,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, Obstacle | undefined>> => {
  const ids = [...new Set(webhookIds)];
  await shareWebhooks(sql, ids);
  // Read after the lock is there: what whoever had it before has changed is seen.
  const rows = await sql<{ id: string; deleted: boolean; active: boolean; plan: Plan }[]>`
    select w.id, w.deleted_at is not null as deleted, w.status = 'active' as active, a.plan
    from webhooks w join accounts a on a.id = w.account_id where w.id = any(${ids}::uuid[])`;
  return new Map(rows.map((row) => [row.id, obstacleOf(row)]));
};

const obstacleOf = ({ deleted, active, plan }: { deleted: boolean; active: boolean; plan: Plan }) => {
  if (deleted) return 'webhook_deleted';
  if (!planAllowsWebhooks(plan)) return 'plan_lapsed';
  return active ? undefined : 'webhook_disabled';
};

/** Throws `plan_required` for a plan without webhooks (specification 1.5). */
export const requirePlan = (plan: Plan): void => {
  if (!planAllowsWebhooks(plan)) throw planRequired();
};

const planRequired = () => new RequestError('plan_required', 'Webhooks need the plan pro or higher.');

/** Throws what the owner is told: 403 `plan_required`, else 409 `conflict`; nothing stands against it when undefined. */
export const refuseObstacle = (obstacle: Obstacle | undefined): void => {
  if (obstacle === undefined) return;
  if (obstacle === 'plan_lapsed') throw planRequired();
  const state = obstacle === 'webhook_deleted' ? 'was deleted' : 'is disabled';
  throw new RequestError('conflict', `The webhook ${state}: nothing is sent to it.`);
};
