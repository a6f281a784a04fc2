import { RequestError } from '../../shared/errors.ts';
import { createShares, NoSlot } from '../../shared/platform/bulkhead/shares.ts';

/** Finds out whose visit it is when the turn of its channel, a UUID, has come. Throws `unavailable`. */
export type VisitLine = <Result>(channelId: string, find: () => Promise<Result>) => Promise<Result>;

/** The most visits of a process that are looked up at a time: half of the main pool, of which one channel alone has a third. */
const total = 6;

/**
 * Lets visits wait, channel by channel, before they are looked up. Otherwise, of a thousand visitors who come to a channel at once, a thousand queries
 * would stand in the line of the main pool before those of everybody else. The widget gives up after 15 s.
 */
export const createVisitLine = ({
  patienceMs = 10_000,
  waitingPerChannel = 500,
}: { patienceMs?: number; waitingPerChannel?: number } = {}): VisitLine => {
  const shares = createShares({ total, patienceMs, waitingPerAccount: waitingPerChannel });
  return async (channelId, find) => {
    try {
      return await shares.take({ accountId: channelId, key: channelId }, find);
    } catch (error) {
      if (!(error instanceof NoSlot)) throw error;
      throw new RequestError('unavailable', 'Too many people chat at the moment. Wait a moment.');
    }
  };
};
