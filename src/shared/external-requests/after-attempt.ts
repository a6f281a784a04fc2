import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import { isSafeToRepeat, longestWaitMs, retriesStatus, waitAfter } from '../flows/blocks/retry-policy.ts';
import type { ExchangeFailure } from '../platform/egress/exchange-failures.ts';
import type { Unmet } from './judge-response.ts';

/** The ports of the block. */
export type Port = 'success' | 'error' | 'timeout';

/**
 * Why a request has no good answer. `status_404`: it is not 2xx. `success_when_2`: it is, but that rule does not hold. `invalid_request`,
 * `credential` and `token`: nothing could be sent.
 */
export type RequestFailure =
  | ExchangeFailure
  | `status_${number}`
  | Unmet['reason']
  | 'too_large'
  | 'encoding'
  | 'redirect'
  | 'mapping'
  | 'invalid_request'
  | 'items'
  | 'credential'
  | 'token'
  | 'outcome_unknown';

/** The result of one attempt: a whole answer, or why there is none. */
export type RequestOutcome =
  | {
      type: 'answered';
      status: number;
      isSuccess: boolean;
      /** Why it is no success, where its status does not say it. */
      reason?: Unmet['reason'] | undefined;
      retryAfterMs?: number | undefined;
      /** The status is 401, and a repetition has another access token. */
      renewsToken?: boolean;
    }
  | { type: 'failed'; reason: RequestFailure; requestSent: boolean };

/** So many attempts that our own side has lost do not count. */
const lostAtMost = 2;

/** What a block says of attempts. */
export type Retried = Pick<ExternalRequest, 'method' | 'safe_to_repeat' | 'attempts' | 'retry'>;

/** What follows an attempt: another one, or a port. */
export type AfterAttempt = { type: 'retry'; inMs: number } | { type: 'port'; port: Port; reason?: RequestFailure };

const retriedFailures: ReadonlySet<RequestFailure> = new Set<RequestFailure>([
  'timeout',
  'dns',
  'connect',
  'reset',
  'outcome_unknown',
  'token',
]);

/**
 * Decides what follows the attempt of this number, counted from 1. What others than GET, PUT and DELETE ask for is repeated only when nothing
 * was sent, or when the answer says that nothing was done (429, 503).
 */
export const afterAttempt = (request: Retried, number: number, outcome: RequestOutcome): AfterAttempt => {
  if (outcome.type === 'answered' && outcome.isSuccess) return { type: 'port', port: 'success' };
  // A 401 says that nothing was done. Once in a request, the attempt after it has another token and does not count.
  if (outcome.type === 'answered' && outcome.renewsToken) return { type: 'retry', inMs: 0 };
  if (number < attemptsOf(request, outcome) && mayRepeat(request, outcome))
    return { type: 'retry', inMs: delayAfter(request, number, outcome) };
  if (outcome.type === 'answered')
    return { type: 'port', port: 'error', reason: outcome.reason ?? `status_${outcome.status}` };
  return { type: 'port', port: outcome.reason === 'timeout' ? 'timeout' : 'error', reason: outcome.reason };
};

const attemptsOf = ({ attempts }: Retried, outcome: RequestOutcome): number =>
  outcome.type === 'failed' && outcome.reason === 'outcome_unknown' ? attempts + lostAtMost : attempts;

const mayRepeat = (request: Retried, outcome: RequestOutcome): boolean => {
  if (outcome.type === 'failed')
    return retriedFailures.has(outcome.reason) && (isSafeToRepeat(request) || !outcome.requestSent);
  return retriesStatus(request, outcome.status);
};

/** What a response asks for is waited for, also where the block would wait less. */
const delayAfter = (request: Retried, number: number, outcome: RequestOutcome): number => {
  const askedMs = outcome.type === 'answered' ? (outcome.retryAfterMs ?? 0) : 0;
  return Math.max(waitAfter(request, number), Math.min(askedMs, longestWaitMs));
};

/** What `Retry-After` asks for, in ms from now: seconds or a date. Undefined for none, or one that cannot be read. */
export const readRetryAfter = (header: string | string[] | undefined, now: Date): number | undefined => {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
};
