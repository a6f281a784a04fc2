import type { Variant } from '../facts/names.ts';
import type { AttemptOutcome } from './types.ts';

/** The delay of each retry after the failure before it, in ms, without jitter (specification 6.3 and 6.4). */
export const retryDelaysMs = [30_000, 60_000, 120_000, 240_000, 480_000] as const;

export const attemptsPerRound = 1 + retryDelaysMs.length;

/** The delay after failed attempt `number` (from 1), in ms; undefined after the last. */
export const delayAfterAttempt = (number: number): number | undefined => retryDelaysMs[number - 1];

/** The sweep takes over a retry that is overdue by so many seconds. */
export const retryGraceSeconds = 30;

/** Variant A succeeds with exactly 200, variant B with any 2xx (specification 6.3 and 6.4). */
export const isSuccess = (variant: Variant, status: number): boolean =>
  variant === 'api' ? status === 200 : status >= 200 && status <= 299;

/** The cause of a failure for operators: "HTTP 500", "timeout". */
export const sayCause = ({ statusCode, reason }: Pick<AttemptOutcome, 'statusCode' | 'reason'>): string =>
  statusCode === undefined ? (reason ?? 'no answer') : `HTTP ${statusCode}`;

/** A delay for operators: "30 s", "2 min". */
export const sayDelay = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
