import { createHash } from 'node:crypto';
import type { EventTransaction } from '../shared/facts/tell.ts';
import { invalid } from '../shared/errors.ts';
import { findCauseOfRequest } from '../shared/runs/requests/cause-of-request.ts';
import { countRefusedRun, LoopGuardError } from '../shared/runs/life/fan-out.ts';
import {
  claimKey,
  findKnown,
  keepAnswer,
  type KeptAnswer,
  type KeyedRequest,
} from '../shared/platform/idempotency/keys.ts';
import { bodyBytes } from './body.ts';
import type { ApiContext, ApiDeps } from './http.ts';

type Deps = Pick<ApiDeps, 'transact' | 'db' | 'secrets'>;

/**
 * Runs a task after the commit, for work that no transaction may wait for. What the task answers, if anything, replaces the body that is given
 * and kept. After a crash in between the first body stays, so it must be true as it is.
 */
export type AfterCommit = (task: () => Promise<unknown>) => void;

/**
 * Runs an operation's transaction and answers. With an Idempotency-Key the transaction first takes the key and last keeps the answer: after a
 * crash there is all of it or nothing, and a twin that is sent at the same time waits and gets the first one's answer. A refused request
 * keeps no key. Throws 422 for a key that was used for another request.
 */
export const idempotently = async (
  ctx: ApiContext,
  { transact, secrets }: Deps,
  { status, work }: { status: number; work: (tx: EventTransaction, afterCommit: AfterCommit) => Promise<unknown> },
): Promise<void> => {
  const request = await keyedRequest(ctx);
  const { replayed, answer, tasks } = await transact(async (tx) => {
    const kept = request && (await findAnswer({ sql: tx.sql, secrets }, request));
    // A transaction may run again and then asks for its tasks anew.
    const tasks: Parameters<AfterCommit>[0][] = [];
    if (kept) return { replayed: true, answer: kept, tasks };
    const caused = request ? await withCause(tx, ctx) : tx;
    const answer = serialise({ status, body: await work(caused, (task) => tasks.push(task)) });
    if (request) await keepAnswer({ sql: tx.sql, secrets }, request, answer);
    return { replayed: false, answer, tasks };
  }).catch((error: unknown) => countRefusal(transact, ctx, error));
  if (replayed) return sendAgain(ctx, answer);
  let latest = answer;
  for (const task of tasks) {
    const body = await task();
    if (body === undefined) continue;
    const replaced = serialise({ status, body });
    latest = replaced;
    if (request) await transact(({ sql }) => keepAnswer({ sql, secrets }, request, replaced));
  }
  send(ctx, latest);
};

/** Throws the error. A run that a run's request would have begun is counted by itself: what the request has written is undone. */
const countRefusal = async (transact: ApiDeps['transact'], ctx: ApiContext, error: unknown): Promise<never> => {
  if (error instanceof LoopGuardError) {
    const { accountId } = ctx.state.principal;
    const { originRunId } = error;
    await transact((tx) => countRefusedRun(tx.sql, { accountId, originRunId }));
  }
  throw error;
};

/** The transaction of a request, whose events are caused by the run that has made it, if one has. */
export const withCause = async (tx: EventTransaction, ctx: ApiContext): Promise<EventTransaction> => {
  const { accountId } = ctx.state.principal;
  const cause = await findCauseOfRequest(tx.sql, { accountId, idempotencyKey: ctx.get('idempotency-key') });
  return cause ? tx.causedBy(cause) : tx;
};

/**
 * Gives the kept answer again if this request has one, before checks that might fail by now. Answers whether it did.
 */
export const answeredAgain = async (ctx: ApiContext, deps: Deps): Promise<boolean> => {
  const request = await keyedRequest(ctx);
  const known = request && (await findKnown({ sql: deps.db, secrets: deps.secrets }, request));
  if (!known) return false;
  sendAgain(ctx, answerOf(known));
  return true;
};

/** Whether the request has an Idempotency-Key. */
export const isKeyed = (ctx: ApiContext): boolean => ctx.get('idempotency-key') !== '';

/** What the request's Idempotency-Key stands for; undefined without one. */
export const keyedRequest = async (ctx: ApiContext): Promise<KeyedRequest | undefined> => {
  const key = ctx.get('idempotency-key');
  if (key === '') return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' });
  }
  const requestHash = createHash('sha256')
    .update(`${ctx.method} ${ctx.path}\n`)
    .update(await bodyBytes(ctx))
    .digest();
  return { accountId: ctx.state.principal.accountId, key, requestHash };
};

/** What tells a request with a key from all others, as a hash; undefined without a key. */
export const seedOf = async (ctx: ApiContext): Promise<Buffer | undefined> => {
  const request = await keyedRequest(ctx);
  if (!request) return undefined;
  const { accountId, key, requestHash } = request;
  return createHash('sha256').update(`${accountId}\n${key}\n`).update(requestHash).digest();
};

const findAnswer = async (...claim: Parameters<typeof claimKey>): Promise<KeptAnswer | undefined> => {
  const known = await claimKey(...claim);
  return known && answerOf(known);
};

/** The answer that is kept. Throws 422 where the key was used for another request. */
export const answerOf = ({ sameRequest, answer }: { sameRequest: boolean; answer: KeptAnswer }): KeptAnswer => {
  if (sameRequest) return answer;
  throw invalid({ path: 'Idempotency-Key', message: 'was used for another request in the last 24 hours' });
};

/** Says that the answer is the kept one. */
export const markReplayed = (ctx: ApiContext): void => ctx.set('Idempotent-Replayed', 'true');

const sendAgain = (ctx: ApiContext, answer: KeptAnswer): void => {
  markReplayed(ctx);
  send(ctx, answer);
};

const serialise = ({ status, body }: { status: number; body: unknown }): KeptAnswer => ({
  status,
  body: JSON.stringify(body),
});

const send = (ctx: ApiContext, { status, body }: KeptAnswer): void => {
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
};
