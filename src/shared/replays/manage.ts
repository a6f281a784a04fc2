import { planAllowsWebhooks, type Plan } from '../accounts/plans.ts';
import type { Sql } from '../db/connect.ts';
import type { Transaction } from '../db/transact.ts';
import type { ReplayDispatch } from '../dispatch/requests.ts';
import { notFound, RequestError } from '../errors.ts';
import { findObstacles, refuseObstacle } from '../webhooks/obstacles.ts';
import { getWebhook } from '../webhooks/manage.ts';
import type { WebhookScope } from '../webhooks/queries.ts';
import { countMatching, type ReplayFilter } from './filter.ts';
import {
  cancelOpenReplay,
  findReplay,
  insertReplay,
  lockReplay,
  resumeReplayRow,
  stopReplay,
  type ReplayRow,
} from './queries.ts';

/** A filter as it is asked for: the door's scope says which variants. */
export type AskedFilter = Omit<ReplayFilter, 'variants'>;

/** The filter inside a door's scope. Throws `not_found` for a webhook that is not there. */
export const scopeFilter = async (sql: Sql, scope: WebhookScope, filter: AskedFilter): Promise<ReplayFilter> => {
  if (filter.webhookId === null) return { ...filter, variants: scope.variants };
  const { variant } = await getWebhook(sql, scope, filter.webhookId);
  return { ...filter, variants: [variant] };
};

/**
 * Starts a bulk replay of what matches now. Throws `not_found` for the webhook, `plan_required`, and `conflict` when that
 * webhook is disabled or a replay of the same filter is open; with `supersede` the open one is cancelled instead.
 */
export const createReplay = async (
  tx: Transaction,
  scope: WebhookScope,
  { pace, supersede = false, ...asked }: AskedFilter & { pace: number; supersede?: boolean },
): Promise<ReplayRow> => {
  const { accountId } = scope;
  const filter = await scopeFilter(tx.sql, scope, asked);
  await requireSendable(tx.sql, { accountId, webhookId: filter.webhookId });
  if (supersede) await cancelOpenReplay(tx.sql, accountId, filter);
  const total = await countMatching(tx.sql, accountId, filter);
  const replay = await insertReplay(tx.sql, accountId, { ...filter, pace, total });
  if (!replay) {
    throw new RequestError('conflict', 'A replay of this webhook and filter is open: resume it, or cancel it first.');
  }
  tx.dispatch(dispatchOf(replay));
  return replay;
};

/** A replay of the scope; throws `not_found`. */
export const getReplay = async (sql: Sql, scope: WebhookScope, id: string): Promise<ReplayRow> =>
  found(await findReplay(sql, scope, id));

/** What may be asked of a replay that is there. */
export const replayRequests = ['pause', 'resume', 'cancel'] as const;

export type ReplayRequest = (typeof replayRequests)[number];

/**
 * Pauses, resumes or cancels; the batch under way is finished first. What is so already is left so. Throws `not_found`,
 * `conflict` for a replay that is over, and when it is resumed as `createReplay` does.
 */
export const changeReplay = async (
  tx: Transaction,
  scope: WebhookScope,
  { id, request }: { id: string; request: ReplayRequest },
): Promise<ReplayRow> => {
  const replay = found(await lockReplay(tx.sql, scope, id));
  const wanted = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[request];
  if (replay.status === wanted) return replay;
  if (replay.status === 'finished' || replay.status === 'cancelled') {
    throw new RequestError('conflict', `This replay is ${replay.status}.`);
  }
  if (wanted !== 'running') return found(await stopReplay(tx.sql, id, { status: wanted, reason: null }));
  await requireSendable(tx.sql, replay);
  const resumed = found(await resumeReplayRow(tx.sql, id));
  tx.dispatch(dispatchOf(resumed));
  return resumed;
};

const requireSendable = async (
  sql: Sql,
  { accountId, webhookId }: Pick<ReplayRow, 'accountId' | 'webhookId'>,
): Promise<void> => {
  if (webhookId !== null) return refuseObstacle((await findObstacles(sql, [webhookId])).get(webhookId));
  const [account] = await sql<{ plan: Plan }[]>`select plan from accounts where id = ${accountId}`;
  refuseObstacle(account && planAllowsWebhooks(account.plan) ? undefined : 'plan_lapsed');
};

const dispatchOf = ({ id, accountId, webhookId, resumes, total, pace }: ReplayRow): ReplayDispatch => ({
  type: 'replay',
  replayId: id,
  accountId,
  webhookId,
  total,
  pace,
  resumes,
});

const found = (row: ReplayRow | undefined): ReplayRow => {
  if (!row) throw notFound('replay');
  return row;
};
