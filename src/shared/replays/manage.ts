import type { Plan } from '../accounts/plans.ts';
import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { conflictWith, found, RequestError } from '../errors.ts';
import { checkPreconditions, requirePreconditions, requirePlan } from '../webhooks/preconditions.ts';
import { getWebhook } from '../webhooks/manage.ts';
import type { WebhookScope } from '../webhooks/queries.ts';
import { countMatching, type ReplayFilter } from './filter.ts';
import {
  countOpenReplays,
  findOpenReplay,
  findReplay,
  insertReplay,
  lockReplay,
  resumeReplayRow,
  setReplayStatus,
  type ReplayRow,
} from './queries.ts';
import { replayWork } from './work.ts';

/** A filter as it is asked for, without variants: the door's scope has them. */
export type AskedFilter = Omit<ReplayFilter, 'variants' | 'lostSince'> & Partial<Pick<ReplayFilter, 'lostSince'>>;

/** The filter inside a door's scope. Throws `not_found` for a webhook that is not there. */
export const scopeFilter = async (sql: Sql, scope: WebhookScope, asked: AskedFilter): Promise<ReplayFilter> => {
  const filter = { lostSince: null, ...asked };
  if (filter.webhookId === null) return { ...filter, variants: scope.variants };
  const { variant } = await getWebhook(sql, scope, filter.webhookId);
  return { ...filter, variants: [variant] };
};

/** A replay to be started: its filter inside the door's scope, and how many deliveries it finds. */
export type PreparedReplay = { filter: ReplayFilter; pace: number; total: number; ofReEnabling?: boolean };

/** Counts before `startReplay` takes its locks, so that nobody waits for the count. Throws as `scopeFilter`. */
export const prepareReplay = async (
  sql: Sql,
  scope: WebhookScope,
  { pace, ...asked }: AskedFilter & { pace: number },
): Promise<PreparedReplay> => {
  const filter = await scopeFilter(sql, scope, asked);
  return { filter, pace, total: await countMatching(sql, scope.accountId, filter) };
};

/** The most running and paused replays of an account. They share slots and turns with those of all accounts. */
const openAtMost = 5;

/** Throws `conflict` when an account has as many replays open as it may. */
export const requireRoom = (open: number): void => {
  if (open < openAtMost) return;
  throw new RequestError(
    'conflict',
    `An account has at most ${openAtMost} running or paused replays. Wait for one to finish, or cancel one.`,
  );
};

/**
 * Starts a bulk replay of what is there now. Throws `plan_required`, and `conflict` when its webhook is disabled, a replay of
 * the same filter is open, or the account has as many open as it may.
 */
export const startReplay = async (
  tx: EventTransaction,
  accountId: string,
  { filter, pace, total, ofReEnabling = false }: PreparedReplay,
): Promise<ReplayRow> => {
  await requireSendable(tx.sql, { accountId, webhookId: filter.webhookId });
  requireRoom(await countOpenReplays(tx.sql, accountId));
  const replay = await insertReplay(tx.sql, accountId, { ...filter, pace, total, ofReEnabling });
  if (!replay) {
    const message = 'A replay of this webhook and filter is open. Resume or cancel it first.';
    throw conflictWith(message, { noun: 'replay', id: await findOpenReplay(tx.sql, accountId, filter) });
  }
  tx.start(replayWork, replay);
  await tx.tell(changed(accountId, 'replays'));
  return replay;
};

/** Prepares and starts a replay. Throws as both do. */
export const createReplay = async (
  tx: EventTransaction,
  scope: WebhookScope,
  asked: AskedFilter & { pace: number },
): Promise<ReplayRow> => startReplay(tx, scope.accountId, await prepareReplay(tx.sql, scope, asked));

/** A replay of the scope; throws `not_found`. */
export const getReplay = async (sql: Sql, scope: WebhookScope, id: string): Promise<ReplayRow> =>
  found('replay', await findReplay(sql, scope, id));

/** What can be done with a replay that is there. */
export const replayActions = ['pause', 'resume', 'cancel'] as const;

export type ReplayAction = (typeof replayActions)[number];

/**
 * Pauses, resumes or cancels a replay. The batch under way is finished first. A replay that is so already stays so. Throws `not_found`,
 * `conflict` for a replay that is over, and on resuming what `createReplay` throws.
 */
export const changeReplay = async (
  tx: EventTransaction,
  scope: WebhookScope,
  { id, action }: { id: string; action: ReplayAction },
): Promise<ReplayRow> => {
  const replay = found('replay', await lockReplay(tx.sql, scope, id));
  const wanted = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[action];
  if (replay.status === wanted) return replay;
  if (replay.status === 'finished' || replay.status === 'cancelled') {
    throw new RequestError('conflict', `This replay is ${replay.status}.`);
  }
  await tx.tell(changed(scope.accountId, 'replays'));
  if (wanted !== 'running') return found('replay', await setReplayStatus(tx.sql, id, { status: wanted, reason: null }));
  await requireSendable(tx.sql, replay);
  const resumed = found('replay', await resumeReplayRow(tx.sql, id));
  tx.start(replayWork, resumed);
  return resumed;
};

const requireSendable = async (
  sql: Sql,
  { accountId, webhookId }: Pick<ReplayRow, 'accountId' | 'webhookId'>,
): Promise<void> => {
  if (webhookId !== null) return requirePreconditions((await checkPreconditions(sql, [webhookId])).get(webhookId));
  const [account] = await sql<{ plan: Plan }[]>`select plan from accounts where id = ${accountId}`;
  requirePlan(account?.plan ?? 'free');
};
