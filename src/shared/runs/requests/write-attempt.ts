import { randomBytes } from 'node:crypto';
import { afterRenewal, dueTokens, openCredentials } from '../../credentials/open.ts';
import type { Renewed } from '../../credentials/oauth2/tokens.ts';
import { enterOrigin } from '../../external-requests/breaker.ts';
import { requestLimits, insertRequest, settleRequest, type countRequests } from '../../external-requests/log.ts';
import { credentialsOf, renderRequest, type RenderOptions } from '../../external-requests/render-request.ts';
import { fieldsOfItem } from '../../external-requests/results.ts';
import { showUnrendered } from '../../external-requests/show-attempt.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { fieldsOf } from '../../flows/blocks/fields.ts';
import { withItem } from '../../flows/blocks/for-each.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import { scopeOf } from '../../flows/blocks/scope.ts';
import { showId } from '../../ids.ts';
import { failRun, nextOf } from '../engine/make-pass.ts';
import type { RunKey } from '../engine/read-snapshot.ts';
import { postponeAttempt, sweepGraceMs, type HeldBy, type SnapshotAtRequest } from './at-request.ts';
import { leave, lostAfterMs, nothingToDo, type AttemptDeps, type AttemptToMake } from './attempt-to-make.ts';
import { endItem, type Round } from './rounds.ts';

type ToWrite = {
  snapshot: SnapshotAtRequest;
  round: Exclude<Round, { type: 'answer' }>;
  previousId: string | null;
  key: RunKey;
  renewed: Renewed | undefined;
  firstOnly: boolean;
  counted: Awaited<ReturnType<typeof countRequests>>;
};

/**
 * Writes an attempt down as `sending`, unless the run has made too many, its request cannot be rendered, or something else has to come first:
 * tokens, the pause of an origin that is down.
 */
export const writeAttempt = async (
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
