import { createHash } from 'node:crypto';
import type { Transaction } from '../shared/platform/dispatch/transact.ts';
import { invalid } from '../shared/errors.ts';
import { claimKey, findKnown, keepAnswer, type KeptAnswer } from '../shared/platform/idempotency/keys.ts';
import { bodyBytes, type ApiContext, type ApiDeps } from './http.ts';

/** A good answer. It is given again to a request with the same Idempotency-Key. */
export type Answer = { status: number; body: unknown };

type Deps = Pick<ApiDeps, 'transact' | 'db' | 'secrets'>;

/**
 * How a POST runs its transaction and answers. With an Idempotency-Key the key is taken first and the answer kept last in
 * that same transaction: after a crash there is all of it or nothing, and a twin sent at the same time waits and then gets
 * the first one's answer. What is refused keeps no key. Throws 422 for a key used for another request.
 *
 * `afterCommit` is for work that no transaction may wait for: it gets what `work` answered, and its answer, if it has one, is
 * the one that is given and kept. After a crash in between, the answer of `work` stays: it must be true as it is.
 */
export const idempotently = async <Made extends Answer>(
  ctx: ApiContext,
  deps: Deps,
  work: (tx: Transaction) => Promise<Made>,
  { afterCommit }: { afterCommit?: (made: Made) => Promise<Answer | undefined> } = {},
): Promise<void> => {
  const request = await keyedRequest(ctx);
  const { replayed, made } = await deps.transact(async (tx) => {
    const kept = request && (await findAnswer({ sql: tx.sql, secrets: deps.secrets }, request));
    if (kept) return { replayed: kept };
    const made = await work(tx);
    if (request) await keepAnswer({ sql: tx.sql, secrets: deps.secrets }, request, serialise(made));
    return { made };
  });
  if (replayed) return sendAgain(ctx, replayed);
  const later = await afterCommit?.(made);
  if (!later) return send(ctx, serialise(made));
  const answer = serialise(later);
  if (request) await keepAnswer({ sql: deps.db, secrets: deps.secrets }, request, answer);
  send(ctx, answer);
};

/**
 * Gives the kept answer again, if this request has one; for handlers that check something before their transaction, which
 * may have changed since. Answers whether it did.
 */
export const answeredAgain = async (ctx: ApiContext, deps: Deps): Promise<boolean> => {
  const request = await keyedRequest(ctx);
  const known = request && (await findKnown({ sql: deps.db, secrets: deps.secrets }, request));
  if (!known) return false;
  sendAgain(ctx, answerOf(known));
  return true;
};

const keyedRequest = async (ctx: ApiContext) => {
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

const findAnswer = async (...claim: Parameters<typeof claimKey>): Promise<KeptAnswer | undefined> => {
  const known = await claimKey(...claim);
  return known && answerOf(known);
};

const answerOf = ({ sameRequest, answer }: { sameRequest: boolean; answer: KeptAnswer }): KeptAnswer => {
  if (sameRequest) return answer;
  throw invalid({ path: 'Idempotency-Key', message: 'was used for another request in the last 24 hours' });
};

const sendAgain = (ctx: ApiContext, answer: KeptAnswer): void => {
  ctx.set('Idempotent-Replayed', 'true');
  send(ctx, answer);
};

const serialise = ({ status, body }: Answer): KeptAnswer => ({ status, body: JSON.stringify(body) });

const send = (ctx: ApiContext, { status, body }: KeptAnswer): void => {
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
};
