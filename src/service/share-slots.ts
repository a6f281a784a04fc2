import { activityInfo } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import { createBulkhead, type Lane, type BulkheadOptions } from '../shared/platform/bulkhead/bulkhead.ts';
import { readFairnessKey } from '../shared/platform/temporal/fairness.ts';
import { responseTimeoutMs } from '../shared/webhooks/signed-post.ts';

/** Nobody who was turned away stays away for longer, whatever the queue before them: their receiver may be well again. */
const longestAwayMs = 120_000;

/**
 * Shares the activity slots of a process among those whose activities carry a fairness key. Temporal's fairness orders who
 * waits for a slot; a receiver that hangs would still hold each one that it got for ten seconds, until it holds them all.
 * Who has its share under way is turned away at once and tried again by Temporal when places should have come free.
 */
export const shareSlots = (options: BulkheadOptions): ActivityInboundCallsInterceptor => {
  const places = createBulkhead(options);
  /** By key, when the last one that was turned away comes back. */
  const lastBackAt = new Map<string, number>();

  /** The places under way come free one by one within an attempt's longest time: as many come back, one by one. */
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
