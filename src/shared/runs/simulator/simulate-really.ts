import { openCredentials } from '../../credentials/open.ts';
import { RequestError } from '../../errors.ts';
import { afterAttempt } from '../../external-requests/after-attempt.ts';
import { attemptRequest } from '../../external-requests/attempt-request.ts';
import type { MapResponse } from '../../external-requests/map-on-thread.ts';
import { credentialsOf } from '../../external-requests/render-request.ts';
import { showAttempt } from '../../external-requests/show-attempt.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { SimulateFor } from './simulate-on-thread.ts';
import type { SimulationResult } from './schema.ts';
import type { RealAnswer, RealRequest, Simulation } from './simulation.ts';

type RealDeps = { sql: Sql; secrets: Secrets; egress: Egress; mapResponse: MapResponse; simulate: SimulateFor };

type RealOptions = {
  accountId: string;
  simulation: Omit<Simulation, 'real'>;
  /** Takes a request from the account's budget; throws when there is none left. */
  spend: () => Promise<void>;
  /** For all requests together, in ms. */
  deadlineMs?: number;
};

/** How long all real requests of a simulation may take together, in ms: somebody waits for the answer. */
const longestMs = 30_000;

/** A request that has less time than this is not begun. */
const leastMs = 1_000;

/**
 * Simulates, and really sends the requests that no mock answers, once each. The simulation begins anew with each answer: the same answers lead to
 * the same next request.
 */
export const simulateReally = async (
  deps: RealDeps,
  { accountId, simulation, spend, deadlineMs = longestMs }: RealOptions,
): Promise<SimulationResult> => {
  const answers: RealAnswer[] = [];
  const endsAt = performance.now() + deadlineMs;
  let over: string | undefined;
  for (;;) {
    const outcome = await deps.simulate(accountId, { ...simulation, real: { answers, over } });
    if (outcome.type === 'done') return outcome.result;
    const leftMs = Math.floor(endsAt - performance.now());
    if (leftMs < leastMs) over = 'time_limit';
    else {
      const answer = await ask(deps, { accountId, simulation, request: outcome.request, leftMs, spend });
      if (typeof answer === 'string' && answers.length === 0) throw tooMuch();
      if (typeof answer === 'string') over = answer;
      else answers.push(answer);
    }
  }
};

const tooMuch = () => new RequestError('unavailable', 'Too much is under way: try again.');

type ToAsk = Pick<RealOptions, 'accountId' | 'simulation' | 'spend'> & { request: RealRequest; leftMs: number };

const ask = async (
  { sql, secrets, egress, mapResponse }: RealDeps,
  { accountId, simulation, request, leftMs, spend }: ToAsk,
): Promise<RealAnswer | 'busy'> => {
  await spend();
  const { config, rendered, timeZone, v } = request;
  const fields = new Map(simulation.fields.map((field) => [field.key, field]));
  const made = await attemptRequest(egress, {
    accountId,
    config: { ...config, timeout_ms: Math.min(config.timeout_ms, leftMs) },
    rendered,
    credentials: await openCredentials({ sql, secrets }, accountId, credentialsOf(rendered)),
    mapResponse,
    known: { fields, timeZone, country: simulation.account.defaultCountry },
    v,
  });
  if (made.type === 'busy') return 'busy';
  const after = afterAttempt({ ...config, attempts: 1 }, 1, made.outcome);
  if (after.type !== 'port') throw new TypeError('one attempt has no next one');
  const { port, reason } = after;
  return { port, reason, fields: made.mapped.ok ? made.mapped.fields : [], shown: showAttempt(rendered, made) };
};
