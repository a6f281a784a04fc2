import { activityInfo } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import { createBulkhead, type Lane, type BulkheadOptions } from '../shared/platform/bulkhead/bulkhead.ts';
import { readFairnessKey } from '../shared/platform/temporal/fairness.ts';
import { responseTimeoutMs } from '../shared/webhooks/signed-post.ts';

/** The longest time that an attempt stays away, in ms, however long the queue before it: its receiver may be well again. */
const longestAwayMs = 120_000;

/**
 * Shares the activity slots of a process among the lanes of its attempts. Temporal's fairness orders those that wait for a slot, but a
 * receiver that hangs would hold each slot that it got for ten seconds, until it holds them all. An attempt whose lane has its share
 * under way is turned away at once, and Temporal tries it again when a place should be free.
 */
export const shareSlots = (options: BulkheadOptions): ActivityInboundCallsInterceptor => {
  const places = createBulkhead(options);
  /** When the last attempt of each key that was turned away comes back. */
  const lastBackAt = new Map<string, number>();

  /** Places come free one by one within an attempt's longest time, so attempts come back one by one. */
  const awayMs = (lane: Lane): number => {
    const { key } = lane;
    const now = performance.now();
    const apartMs = responseTimeoutMs / Math.max(1, places.usualOf(lane));
    const backAt = Math.min(Math.max(lastBackAt.get(key) ?? 0, now) + apartMs, now + longestAwayMs);
    lastBackAt.set(key, backAt);
    return Math.ceil(backAt - now);
  };

  return {
    execute: async (input, next) => {
      const { isLocal, activityType, priority } = activityInfo();
      if (isLocal || activityType !== 'attemptDelivery' || !priority?.fairnessKey) return next(input);
      const lane = readFairnessKey(priority.fairnessKey);
      if (!places.take(lane)) throw busy(awayMs(lane));
      if ((lastBackAt.get(lane.key) ?? 0) <= performance.now()) lastBackAt.delete(lane.key);
      try {
        return await next(input);
      } finally {
        places.release(lane);
      }
    },
  };
};
