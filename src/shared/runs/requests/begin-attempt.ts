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
import {
  credentialsOf,
  renderRequest,
  type RenderedRequest,
  type RenderOptions,
} from '../../external-requests/render-request.ts';
import { fieldsOfItem } from '../../external-requests/results.ts';
import { showUnrendered } from '../../external-requests/show-attempt.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import { fieldsOf, type FieldsInZone } from '../../flows/blocks/fields.ts';
import { withItem, type Item } from '../../flows/blocks/for-each.ts';
import { scopeOf } from '../../flows/blocks/scope.ts';
import { showId } from '../../ids.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { EndedRun } from '../engine/ended-run.ts';
import { failRun, makePass, nextOf, type MadePass } from '../engine/make-pass.ts';
import { readSnapshot, type CarriedRun, type RunKey } from '../engine/read-snapshot.ts';
import type { Urls } from '../engine/store.ts';
import type { ReadVersion } from '../engine/versions.ts';
import { withFiles } from '../engine/with-files.ts';
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
import { endItem, findRound, settleLost, type Answer, type Round, type Settled } from './rounds.ts';
import { changed } from '../../facts/changed.ts';

export type AttemptDeps = Urls & { transact: EventTransact; readVersion: ReadVersion; secrets: Secrets };

/** An attempt that is to be sent now: it is written down as `sending`. */
export type BegunAttempt = RequestPlace &
  Omit<CarriedRun, 'version'> & {
    /** The version that the run walks. */
    version: NonNullable<CarriedRun['version']>;
    id: string;
    /** The attempt before, if any. */
    previousId: string | null;
    number: number;
    /** Whether an attempt before it had a token renewed: that one does not count. */
    wasUnauthorized: boolean;
    /** The item of a list that it is for. */
    item: Item | undefined;
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
  /** Nothing is written down: it is not the first attempt, or takes longer than a workflow task has time for. */
  | { type: 'ordinary' }
  /** Nothing is written down: access tokens are to be renewed first, outside of the transaction. */
  | { type: 'tokens'; accountId: string; due: readonly OpenToken[] }
  | ({ type: 'now' } & BegunAttempt);

/** An attempt that is `sending` for longer than its time and this is given up: whoever made it is gone. */
const lostAfterMs = 15_000;

/** A wait that is over but for this is over: clocks differ a little. */
const toleranceMs = 100;

/**
 * The first transaction of an attempt: decides under the run's lock whether one is to be sent, and writes it down before it is. What was rendered
 * at the first attempt is sent again. `renewed` is the outcome of tokens that it has asked for. `firstOnly` leaves all but a first attempt with its
 * tokens to another activity. Throws for our own faults, and nothing has been sent then.
 */
export const beginAttempt = (
  deps: AttemptDeps,
  key: CarriedRun,
  { step, renewed, firstOnly = false }: { step: number; renewed?: Renewed; firstOnly?: boolean },
): Promise<AttemptToMake> =>
  deps.transact(async (tx): Promise<AttemptToMake> => {
    const [read, last, counted] = await Promise.all([
      readSnapshot(tx.sql, key, deps.readVersion),
      findLastRequest(tx.sql, { runId: key.runId, step }),
      countRequests(tx.sql, key.runId),
    ]);
    const found = atRequest(read, step);
    if (!found) return { type: 'none' };
    const snapshot = await withFiles(tx.sql, found, deps);
    await tx.tell(changed(snapshot.row.accountId, 'runs'));
    // Of one that has a port the next item may follow, with a first attempt of its own.
    if (firstOnly && last && last.port === null) return { type: 'ordinary' };
    const left = waitOf(snapshot, last);
    if (left > toleranceMs) return { type: 'later', ms: Math.ceil(left), heldBy: heldBy(snapshot.run) };
    const { config } = snapshot.requestOf(snapshot.step.blockId);
    const settled: Settled =
      last && isLost(snapshot, last) ? await settleLost(tx.sql, { snapshot, config }, last) : { last };
    if (settled.answer) return leave(tx, deps, snapshot, settled.answer);
    const round = await findRound(tx.sql, { snapshot, config }, settled.last);
    if (round.type === 'answer') return leave(tx, deps, snapshot, round.answer);
    return writeAttempt(deps, tx, { snapshot, round, previousId: last?.id ?? null, key, renewed, firstOnly, counted });
  });

/** Leaves the block without another request. */
const leave = async (
  tx: EventTransaction,
  urls: Urls,
  snapshot: SnapshotAtRequest,
  answer: Answer,
): Promise<AttemptToMake> => nothingToDo(await makePass(tx, withAnswer(snapshot, answer), { urls }));

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
const isLost = ({ run }: SnapshotAtRequest, { state, port }: LastRequest): boolean =>
  port === null && (state === 'sending' || state === 'unknown' || run.wakeAt === null);

type ToWrite = {
  snapshot: SnapshotAtRequest;
  round: Exclude<Round, { type: 'answer' }>;
  previousId: string | null;
  key: RunKey;
  renewed: Renewed | undefined;
  firstOnly: boolean;
  counted: Awaited<ReturnType<typeof countRequests>>;
};

const writeAttempt = async (
  deps: AttemptDeps,
  tx: EventTransaction,
  { snapshot, round, previousId, key, renewed, firstOnly, counted: { made, freeInMs } }: ToWrite,
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

  if (made >= requestLimits.perRun)
    return nothingToDo(await failRun(tx, snapshot, { urls: deps, reason: 'call_limit' }));
  if (freeInMs > 0) return postpone(Math.ceil(freeInMs), 'call_limit');

  const place = { accountId, runId, step: step.number, blockId: step.blockId };
  const { item, last } = round.type === 'attempt' ? round : {};
  const ofVisit = `${showId('run', runId)}:${step.blockId}:${step.visit}`;
  const idempotencyKey = item ? `${ofVisit}:${item.index}` : ofVisit;
  const number = (last?.number ?? 0) + 1;
  const shown = { method: config.method, url: config.url };
  const itemIndex = item?.index ?? null;
  const request = { ...place, number, timeoutMs, idempotencyKey, itemIndex, shown, previousId };
  const result = renderRound(config, round, {
    scope: scopeOf(context),
    v: context.v,
    idempotencyKey,
    nonce: randomBytes(16).toString('hex'),
  });
  if (!result.ok) {
    const { reason, problem } = result;
    const id = await insertRequest(sql, { ...request, rendered: null });
    const unsent = { ...showUnrendered(config, problem), reason };
    await settleRequest(sql, id, { state: 'failed', shown: unsent, port: 'error', isRepeated: false });
    const ended = { port: 'error', reason } as const;
    if (!item) return leave(tx, deps, snapshot, ended);
    const { answer } = await endItem(sql, { snapshot, config }, { ...ended, index: item.index, fields: [] });
    if (answer) return leave(tx, deps, snapshot, answer);
    await postponeAttempt(sql, runId, { ms: 0, reason: 'next_item' });
    return { type: 'none', next: nextOf(snapshot, { type: 'call', step: step.number, blockId: step.blockId }) };
  }
  const rendered = result.request;
  const opened = await openCredentials({ sql, secrets: deps.secrets }, accountId, credentialsOf(rendered));
  const due = dueTokens(opened);
  if (due.length > 0 && firstOnly) return { type: 'ordinary' };
  if (due.length > 0 && !renewed) return { type: 'tokens', accountId, due };
  if (renewed?.type === 'later') return postpone(renewed.ms, 'token_wait');
  const credentials = renewed ? afterRenewal(opened, renewed) : opened;

  const admission = await enterOrigin(sql, { accountId, origin }, timeoutMs + lostAfterMs);
  if (admission.type === 'wait') return postpone(admission.ms, 'origin_down');
  tx.write(sql`
    update runs set wake_at = null, reason = null,
      sweep_at = clock_timestamp() + ${timeoutMs + sweepGraceMs} * interval '1 ms'
    where id = ${runId}`);
  const id = await insertRequest(sql, { ...request, rendered });
  const { isProbe } = admission;
  return {
    type: 'now',
    ...place,
    ...key,
    version: { flowId: row.flowId, version: row.version },
    id,
    previousId,
    number,
    wasUnauthorized: last?.wasUnauthorized ?? false,
    item,
    config,
    origin,
    isProbe,
    rendered,
    credentials,
    known: item ? fieldsOfItem(fieldsOf(context)) : fieldsOf(context),
    v: context.v,
  };
};

/** What is sent again is what was rendered at the first attempt. */
const renderRound = (config: ExternalRequest, round: ToWrite['round'], options: RenderOptions) => {
  if (round.type === 'unlisted') {
    const problem = { place: 'for_each.items', message: round.message };
    return { ok: false, reason: 'items', problem } as const;
  }
  const { item, last } = round;
  if (last?.rendered) return { ok: true, request: last.rendered } as const;
  const rendered = renderRequest(config, { ...options, scope: withItem(options.scope, item) });
  return rendered.ok ? rendered : { ...rendered, reason: 'invalid_request' as const };
};
