import { randomBytes } from 'node:crypto';
import { openCredentials, type OpenCredential } from '../../credentials/open.ts';
import type { EventTransact, EventTransaction } from '../../events/emit.ts';
import { afterTry } from '../../external-requests/after-try.ts';
import { enterOrigin } from '../../external-requests/breaker.ts';
import {
  callLimits,
  countRequests,
  findLastRequest,
  insertRequest,
  settleRequest,
  type LastRequest,
  type RequestPlace,
} from '../../external-requests/log.ts';
import { credentialsOf, renderRequest, type RenderedRequest } from '../../external-requests/render-request.ts';
import { showUnrendered } from '../../external-requests/show-call.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import { fieldsOf, type FieldsInZone } from '../../flows/blocks/fields.ts';
import { scopeOf } from '../../flows/blocks/scope.ts';
import { showId } from '../../ids.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import { atCall, heldBy, leaveCall, postponeCall, sweepGraceMs, type HeldBy, type SceneAtCall } from './at-request.ts';
import { endedRun, type EndedRun } from '../engine/ended-run.ts';
import { failHere } from '../engine/interpret.ts';
import { readScene, type Fence } from '../engine/read-snapshot.ts';
import { storeOutcome } from '../engine/store.ts';
import type { ReadVersion } from '../engine/versions.ts';

export type CallDeps = {
  transact: EventTransact;
  readVersion: ReadVersion;
  secrets: Secrets;
  baseUrl: string;
  apiUrl: string;
};

/** A try that is to be sent now: it is written down as `sending`. */
export type BegunCall = RequestPlace & {
  fence: Fence;
  id: string;
  /** The try before, if any. */
  previousId: string | null;
  number: number;
  config: ExternalRequest;
  origin: string;
  /** It finds out whether an origin that was failing is well again. */
  isProbe: boolean;
  rendered: RenderedRequest;
  credentials: ReadonlyMap<string, OpenCredential>;
  known: FieldsInZone;
  v: number;
};

/** What there is to do about a call: nothing more, later, or now. */
export type CallToDo =
  | { type: 'none'; ended?: EndedRun | undefined }
  | { type: 'later'; ms: number; heldBy: HeldBy | undefined }
  | ({ type: 'now' } & BegunCall);

/** A try that is `sending` for longer than its time and this is given up: whoever made it is gone. */
const lostAfterMs = 15_000;

/** A wait that is over but for this is over: clocks differ a little. */
const toleranceMs = 100;

/**
 * The first transaction of a call: decides under the run's lock whether a try is to be sent, and writes it down before it is. What was
 * rendered at the first try is sent again. Throws for our own faults, and nothing has been sent then.
 */
export const beginCall = (deps: CallDeps, fence: Fence, step: number): Promise<CallToDo> =>
  deps.transact(async (tx): Promise<CallToDo> => {
    const scene = atCall(await readScene(tx.sql, fence, deps.readVersion), step);
    if (!scene) return { type: 'none' };
    const last = await findLastRequest(tx.sql, { runId: fence.runId, step });
    const left = waitOf(scene, last);
    if (left > toleranceMs) return { type: 'later', ms: Math.ceil(left), heldBy: heldBy(scene.run) };
    const { config } = scene.callOf(scene.step.blockId);
    if (last && isLost(scene, last)) {
      const after = afterTry(config, last.number, { type: 'failed', reason: 'outcome_unknown', requestSent: true });
      await settleRequest(tx.sql, last.id, {
        state: 'unknown',
        reason: 'outcome_unknown',
        isRepeated: after.type === 'retry',
        ...(after.type === 'port' && { port: after.port }),
      });
      if (after.type === 'port')
        return leave(deps, tx, scene, leaveCall(scene, { port: 'error', reason: 'outcome_unknown' }));
    }
    return beginTry(deps, tx, { scene, last, fence });
  });

const leave = async (
  { baseUrl, apiUrl }: CallDeps,
  tx: EventTransaction,
  scene: SceneAtCall,
  outcome: ReturnType<typeof leaveCall>,
): Promise<CallToDo> => {
  const answer = await storeOutcome(tx, { scene, outcome, baseUrl, apiUrl });
  return { type: 'none', ended: endedRun(scene, answer) };
};

/** How long nothing is to be done: somebody may be sending, or the time of the next try has not come. */
const waitOf = ({ run, context }: SceneAtCall, last: LastRequest | undefined): number => {
  if (last?.state === 'sending') return last.timeoutMs + lostAfterMs - last.ageMs;
  return run.wakeAt === null ? 0 : run.wakeAt.getTime() - context.now.getTime();
};

/**
 * Nobody knows what became of the last try, or only a workflow before this one does, whose answer came too late to be taken: no other try was
 * planned after it.
 */
const isLost = ({ run }: SceneAtCall, { state }: LastRequest): boolean =>
  state === 'sending' || state === 'unknown' || run.wakeAt === null;

type Try = { scene: SceneAtCall; last: LastRequest | undefined; fence: Fence };

const beginTry = async (deps: CallDeps, tx: EventTransaction, { scene, last, fence }: Try): Promise<CallToDo> => {
  const { sql } = tx;
  const { runId } = fence;
  const { row, step, context } = scene;
  const { accountId } = row;
  const { config, origin, timeoutMs } = scene.callOf(step.blockId);
  const postpone = async (ms: number, reason: HeldBy): Promise<CallToDo> => {
    await postponeCall(sql, runId, { ms, reason });
    return { type: 'later', ms, heldBy: reason };
  };

  const { made, freeInMs } = await countRequests(sql, runId);
  if (made >= callLimits.perRun) return leave(deps, tx, scene, failHere({ ...scene, due: undefined }, 'call_limit'));
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
    return leave(deps, tx, scene, leaveCall(scene, { port: 'error', reason: 'invalid_request' }));
  }
  const rendered = result.request;
  const credentials = await openCredentials({ sql, secrets: deps.secrets }, accountId, credentialsOf(rendered));

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
    fence,
    id,
    previousId,
    number,
    config,
    origin,
    isProbe,
    rendered,
    credentials,
    known: fieldsOf(context),
    v: context.v,
  };
};
