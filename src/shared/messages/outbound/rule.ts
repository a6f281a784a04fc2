import { delayAfterAttempt, retryDelaysMs } from '../../deliveries/ladder.ts';

/** How long the ladder is, in ms. */
const ladderMs = retryDelaysMs.reduce<number>((total, delay) => total + delay, 0);

/**
 * How long after failed attempt `number` the next one is due, in ms; undefined when there is none. A message whose slot came later than the
 * ladder is long has one attempt, so that those behind it do not wait for it as well. `waitedMs` is from queueing to this attempt.
 */
export const delayAfter = ({ number, waitedMs }: { number: number; waitedMs: number }): number | undefined =>
  number === 1 && waitedMs > ladderMs ? undefined : delayAfterAttempt(number);
