import { randomBytes } from 'node:crypto';
import {
  afterRenewal,
  dueTokens,
  openCredentials,
  type OpenCredential,
  type OpenToken,
} from '../../credentials/open.ts';
import type { Renewed } from '../../credentials/oauth2/tokens.ts';
import type { EventTransact, EventTransaction } from '../../facts/tell.ts';
import { afterAttempt } from '../../external-requests/after-attempt.ts';
import { enterOrigin } from '../../external-requests/breaker.ts';
import {
  requestLimits,
  countRequests,
  findLastRequest,
  insertRequest,
  settleRequest,
  type LastRequest,
  type RequestPlace,
} from '../../external-requests/log.ts';
import { credentialsOf, renderRequest, type RenderedRequest } from '../../external-requests/render-request.ts';
import { showUnrendered } from '../../external-requests/show-attempt.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import { fieldsOf, type FieldsInZone } from '../../flows/blocks/fields.ts';
import { scopeOf } from '../../flows/blocks/scope.ts';
import { showId } from '../../ids.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { EndedRun } from '../engine/ended-run.ts';
import { failRun, makePass, type MadePass } from '../engine/make-pass.ts';
import { readSnapshot, type RunKey } from '../engine/read-snapshot.ts';
import type { Urls } from '../engine/store.ts';
import type { ReadVersion } from '../engine/versions.ts';
import type { Next } from '../types.ts';
import {
  atRequest,
  heldBy,
  postponeAttempt,
  sweepGraceMs,
  withAnswer,
  type HeldBy,
  type SnapshotAtRequest,
} from './at-request.ts';
import { changed } from '../../facts/changed.ts';

export type AttemptDeps = Urls & { transact: EventTransact; readVersion: ReadVersion; secrets: Secrets };

/** An attempt that is to be sent now: it is written down as `sending`. */
export type BegunAttempt = RequestPlace &
  RunKey & {
    id: string;
    /** The attempt before, if any. */
    previousId: string | null;
    number: number;
    /** Whether an attempt before it had a token renewed: that one does not count. */
    wasUnauthorized: boolean;
    config: ExternalRequest;
    origin: string;
    /** It finds out whether an origin that was failing is well again. */
    isProbe: boolean;
    rendered: RenderedRequest;
    credentials: ReadonlyMap<string, OpenCredential>;
    known: FieldsInZone;
    v: number;
  };

/** What there is to do about a request: nothing more, later, or now. */
export type AttemptToMake =
  | { type: 'none'; next?: Next | undefined; ended?: EndedRun | undefined }
  | { type: 'later'; ms: number; heldBy: HeldBy | undefined }
  /** Nothing is written down: access tokens are to be renewed first, outside of the transaction. */
  | { type: 'tokens'; accountId: string; due: readonly OpenToken[] }
  | ({ type: 'now' } & BegunAttempt);

/** An attempt that is `sending` for longer than its time and this is given up: whoever made it is gone. */
const lostAfterMs = 15_000;

/** A wait that is over but for this is over: clocks differ a little. */
const toleranceMs = 100;

/**
 * The first transaction of an attempt: decides under the run's lock whether one is to be sent, and writes it down before it is. What was rendered
 * at the first attempt is sent again. `renewed` is what came of tokens that it has asked for. Throws for our own faults, and nothing has been sent
 * then.
 */
export const beginAttempt = (deps: AttemptDeps, key: RunKey, step: number, renewed?: Renewed): Promise<AttemptToMake> =>
  deps.transact(async (tx): Promise<AttemptToMake> => {
    const snapshot = atRequest(await readSnapshot(tx.sql, key, deps.readVersion), step);
    if (!snapshot) return { type: 'none' };
    await tx.tell(changed(snapshot.row.accountId, 'runs'));
    const last = await findLastRequest(tx.sql, { runId: key.runId, step });
    const left = waitOf(snapshot, last);
    if (left > toleranceMs) return { type: 'later', ms: Math.ceil(left), heldBy: heldBy(snapshot.run) };
    const { config } = snapshot.requestOf(snapshot.step.blockId);
    if (last && isLost(snapshot, last)) {
      const after = afterAttempt(config, last.number, { type: 'failed', reason: 'outcome_unknown', requestSent: true });
      await settleRequest(tx.sql, last.id, {
        state: 'unknown',
        reason: 'outcome_unknown',
        isRepeated: after.type === 'retry',
        ...(after.type === 'port' && { port: after.port }),
      });
      if (after.type === 'port') return leave(tx, deps, snapshot, 'outcome_unknown');
    }
    return writeAttempt(deps, tx, { snapshot, last, key, renewed });
  });

/** Leaves the block by its port `error`, without a request. */
const leave = async (
  tx: EventTransaction,
  urls: Urls,
  snapshot: SnapshotAtRequest,
  reason: 'outcome_unknown' | 'invalid_request',
): Promise<AttemptToMake> => nothingToDo(await makePass(tx, withAnswer(snapshot, { port: 'error', reason }), { urls }));

const nothingToDo = ({ next, ended }: MadePass): AttemptToMake => ({ type: 'none', next, ended });

/** How long nothing is to be done: somebody may be sending, or the time of the next attempt has not come. */
const waitOf = ({ run, context }: SnapshotAtRequest, last: LastRequest | undefined): number => {
  if (last?.state === 'sending') return last.timeoutMs + lostAfterMs - last.ageMs;
  return run.wakeAt === null ? 0 : run.wakeAt.getTime() - context.now.getTime();
};

/**
 * Nobody knows what became of the last attempt, or only a workflow before this one does, whose answer came too late to be taken: no other attempt
 * was planned after it.
 */
const isLost = ({ run }: SnapshotAtRequest, { state }: LastRequest): boolean =>
  state === 'sending' || state === 'unknown' || run.wakeAt === null;

type ToWrite = {
  snapshot: SnapshotAtRequest;
  last: LastRequest | undefined;
  key: RunKey;
  renewed: Renewed | undefined;
};

const writeAttempt = async (
  deps: AttemptDeps,
  tx: EventTransaction,
  { snapshot, last, key, renewed }: ToWrite,
): Promise<AttemptToMake> => {
  const { sql } = tx;
  const { runId } = key;
  const { row, step, context } = snapshot;
  const { accountId } = row;
  const { config, origin, timeoutMs } = snapshot.requestOf(step.blockId);
  const postpone = async (ms: number, reason: HeldBy): Promise<AttemptToMake> => {
    await postponeAttempt(sql, runId, { ms, reason });
    return { type: 'later', ms, heldBy: reason };
  };

  const { made, freeInMs } = await countRequests(sql, runId);
  if (made >= requestLimits.perRun)
    return nothingToDo(await failRun(tx, snapshot, { urls: deps, reason: 'call_limit' }));
  if (freeInMs > 0) return postpone(Math.ceil(freeInMs), 'call_limit');

  const place: RequestPlace = { accountId, runId, step: step.number, blockId: step.blockId };
  const idempotencyKey = `${showId('run', runId)}:${step.blockId}:${step.visit}`;
  const number = (last?.number ?? 0) + 1;
  const previousId = last?.id ?? null;
  const shown = { method: config.method, url: config.url };
  const request = { ...place, number, timeoutMs, idempotencyKey, shown, previousId };
  const result = last?.rendered
    ? ({ ok: true, request: last.rendered } as const)
    : renderRequest(config, {
        scope: scopeOf(context),
        v: context.v,
        idempotencyKey,
        nonce: randomBytes(16).toString('hex'),
      });
  if (!result.ok) {
    const id = await insertRequest(sql, { ...request, rendered: null });
    const unsent = showUnrendered(config, result.problem);
    await settleRequest(sql, id, { state: 'failed', shown: unsent, port: 'error', isRepeated: false });
    return leave(tx, deps, snapshot, 'invalid_request');
  }
  const rendered = result.request;
  const opened = await openCredentials({ sql, secrets: deps.secrets }, accountId, credentialsOf(rendered));
  const due = dueTokens(opened);
  if (due.length > 0 && !renewed) return { type: 'tokens', accountId, due };
  if (renewed?.type === 'later') return postpone(renewed.ms, 'token_wait');
  const credentials = renewed ? afterRenewal(opened, renewed) : opened;

  const admission = await enterOrigin(sql, { accountId, origin }, timeoutMs + lostAfterMs);
  if (admission.type === 'wait') return postpone(admission.ms, 'origin_down');
  const id = await insertRequest(sql, { ...request, rendered });
  await sql`
    update runs set wake_at = null, reason = null,
      sweep_at = clock_timestamp() + ${timeoutMs + sweepGraceMs} * interval '1 ms'
    where id = ${runId}`;
  const { isProbe } = admission;
  return {
    type: 'now',
    ...place,
    ...key,
    id,
    previousId,
    number,
    wasUnauthorized: last?.wasUnauthorized ?? false,
    config,
    origin,
    isProbe,
    rendered,
    credentials,
    known: fieldsOf(context),
    v: context.v,
  };
};
