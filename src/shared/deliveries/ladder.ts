import type { Variant } from '../events/names.ts';
import type { AttemptOutcome } from './types.ts';

/** How long after the failure before it retry n starts, in ms (specification 6.3 and 6.4). Both variants, no jitter. */
export const retryDelaysMs = [30_000, 60_000, 120_000, 240_000, 480_000] as const;

/** The initial attempt and five retries. */
export const attemptsPerRound = 1 + retryDelaysMs.length;

/** How long after a failed attempt `number` (from 1) the next one starts, in ms; undefined after the last. */
export const delayAfterAttempt = (number: number): number | undefined => retryDelaysMs[number - 1];

/** The sweep looks after a retry that is overdue by so many seconds. */
export const retryGraceSeconds = 30;

/** Which answers count as success: exactly 200 for variant A, any 2xx for variant B (specification 6.3 and 6.4). */
export const isSuccess = (variant: Variant, status: number): boolean =>
  variant === 'api' ? status === 200 : status >= 200 && status <= 299;

/** Why an attempt failed, as operators read it: "HTTP 500", "timeout". */
export const sayCause = ({ statusCode, reason }: Pick<AttemptOutcome, 'statusCode' | 'reason'>): string =>
  statusCode === undefined ? (reason ?? 'no answer') : `HTTP ${statusCode}`;

/** A delay as people say it: "30 s", "2 min". */
export const sayDelay = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
