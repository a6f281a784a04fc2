import type { Tokens } from '../../credentials/oauth2/tokens.ts';
import { RequestError } from '../../errors.ts';
import { afterAttempt } from '../../external-requests/after-attempt.ts';
import { attemptRequest } from '../../external-requests/attempt-request.ts';
import type { JudgeResponse } from '../../external-requests/judge-on-thread.ts';
import { withTokens } from '../../external-requests/open-with-tokens.ts';
import { credentialsOf } from '../../external-requests/render-request.ts';
import { fieldsOfItem } from '../../external-requests/results.ts';
import { showAttempt } from '../../external-requests/show-attempt.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Logger } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import { createToken } from '../../platform/secrets/tokens.ts';
import type { SimulateFor } from './simulate-on-thread.ts';
import { showNothing, tellSent, type SimulationResult } from './schema.ts';
import type { RealAnswer, RealRequest, SimulatedRequest, Simulation } from './simulation.ts';

type RealDeps = {
  sql: Sql;
  secrets: Secrets;
  tokens: Tokens;
  egress: Egress;
  judgeResponse: JudgeResponse;
  simulate: SimulateFor;
  log: Logger;
};

type RealOptions = {
  accountId: string;
  simulation: Omit<Simulation, 'real'>;
  /** Takes a request from the account's budget; throws when there is none left. */
  spend: () => Promise<void>;
  /** How many are sent at most, where that is fewer than usual. */
  most?: number | undefined;
  /** For all requests together, in ms. */
  deadlineMs?: number;
};

/** How long all real requests of a simulation may take together, in ms: somebody waits for the answer. */
const longestMs = 30_000;

/** A request that has less time than this is not begun. */
const leastMs = 1_000;

/**
 * Simulates, and really sends the requests that no mock answers, once each. The simulation begins anew with each answer: the same answers lead to
 * the same next request. Throws only where nothing was sent: else the result tells what was, whatever ends the simulation.
 */
export const simulateReally = async (deps: RealDeps, options: RealOptions): Promise<SimulationResult> => {
  const sent: Sent[] = [];
  const requests = () => sent.map(({ request }) => request);
  try {
    return tellSent(await walkReally(deps, options, sent), requests());
  } catch (error) {
    if (sent.length === 0) throw error;
    return tellSent(showNothing({ ...options.simulation, reason: reasonOf(deps.log, error) }), requests());
  }
};

/** A request that was sent, and what came. */
type Sent = { request: Omit<SimulatedRequest, 'order'>; answer: RealAnswer };

const walkReally = async (
  deps: RealDeps,
  { accountId, simulation, spend, most, deadlineMs = longestMs }: RealOptions,
  sent: Sent[],
): Promise<SimulationResult> => {
  const key = createToken('');
  const endsAt = performance.now() + deadlineMs;
  let over: string | undefined;
  for (;;) {
    const answers = sent.map(({ answer }) => answer);
    const outcome = await deps.simulate(accountId, { ...simulation, real: { answers, over, key, most } });
    if (outcome.type === 'done') return outcome.result;
    const leftMs = Math.floor(endsAt - performance.now());
    if (leftMs < leastMs) over = 'time_limit';
    else {
      try {
        sent.push(await ask(deps, { accountId, simulation, request: outcome.request, leftMs, spend }));
      } catch (error) {
        if (sent.length === 0) throw error;
        over = reasonOf(deps.log, error);
      }
    }
  }
};

/** Why a simulation is ended that has sent requests, for whoever sees its result. */
const reasonOf = (log: Logger, error: unknown): string => {
  if (error instanceof RequestError) return error.code === 'rate_limited' ? 'rate_limit' : 'busy';
  log.error({ err: error }, 'simulation.broken_off');
  return 'internal_error';
};

const tooMuch = () => new RequestError('unavailable', 'Too much is under way: try again.');

type ToAsk = Pick<RealOptions, 'accountId' | 'simulation' | 'spend'> & { request: RealRequest; leftMs: number };

const ask = async (
  { sql, secrets, tokens, egress, judgeResponse }: RealDeps,
  { accountId, simulation, request, leftMs, spend }: ToAsk,
): Promise<Sent> => {
  await spend();
  const { config, rendered, timeZone, v } = request;
  const fields = new Map(simulation.fields.map((field) => [field.key, field]));
  const known = { fields, timeZone, country: simulation.account.defaultCountry };
  const toSend = {
    accountId,
    config: { ...config, timeout_ms: Math.min(config.timeout_ms, leftMs) },
    rendered,
    judgeResponse,
    known: request.itemIndex === null ? known : fieldsOfItem(known),
    v,
  };
  const made = await withTokens(
    { sql, secrets, tokens },
    { accountId, names: credentialsOf(rendered) },
    (credentials) => attemptRequest(egress, { ...toSend, credentials }),
  );
  if (made.type === 'busy') throw tooMuch();
  const after = afterAttempt({ ...config, attempts: 1 }, 1, made.outcome);
  if (after.type !== 'port') throw new TypeError('one attempt has no next one');
  const { port, reason } = after;
  const shown = showAttempt(rendered, made);
  const { run, visit, itemIndex, sentAt } = request;
  const place = { run, blockId: config.id, visit, itemIndex, attempt: 1, isMocked: false, sentAt: new Date(sentAt) };
  return {
    request: { ...shown, ...place, port },
    answer: { port, reason, fields: made.mapped.ok ? made.mapped.fields : [], shown },
  };
};
