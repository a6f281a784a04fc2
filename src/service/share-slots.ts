import { activityInfo } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import { createBulkhead, type BulkheadOptions } from '../shared/platform/bulkhead/bulkhead.ts';
import { readFairnessKey } from '../shared/platform/temporal/fairness.ts';
import { responseTimeoutMs } from '../shared/signing/signed-post.ts';

/** The longest time that an attempt stays away, in ms, however long the queue before it: its receiver may be well again. */
const longestAwayMs = 120_000;

/**
 * The attempts of one kind of activity that may be under way in a process. Slots beyond those are for the activities that record and end.
 */
export type Shares = BulkheadOptions & { activity: keyof Activities };

/**
 * Shares the activity slots of a process among the lanes of its attempts. Temporal's fairness orders those that wait for a slot, but a
 * receiver that hangs would hold each slot that it got for ten seconds, until it holds them all. An attempt whose lane has its share
 * under way is turned away at once, and Temporal tries it again when a slot should be free.
 */
export const shareSlots = ({ activity, ...options }: Shares): ActivityInboundCallsInterceptor => {
  const slots = createBulkhead(options);
  const returns = createReturns();
  return {
    execute: async (input, next) => {
      const { isLocal, activityType, priority } = activityInfo();
      if (isLocal || activityType !== activity || !priority?.fairnessKey) return next(input);
      const lane = readFairnessKey(priority.fairnessKey);
      if (!slots.take(lane)) throw busy(returns.awayMs(lane.key, slots.fairShareOf(lane)));
      try {
        return await next(input);
      } finally {
        slots.release(lane);
      }
    },
  };
};

/** Says when attempts that were turned away come back. It remembers a key until the last attempt of the key should be back. */
export const createReturns = () => {
  /** When the last attempt of each key comes back. The key that was turned away last stands at the end. */
  const lastBackAt = new Map<string, number>();

  const forgetReturned = (now: number): void => {
    for (const [key, backAt] of lastBackAt) {
      if (backAt > now) return;
      lastBackAt.delete(key);
    }
  };

  return {
    /** Slots come free one by one within an attempt's longest time, so the attempts of a key come back one by one. */
    awayMs: (key: string, slots: number): number => {
      const now = performance.now();
      forgetReturned(now);
      const apartMs = responseTimeoutMs / Math.max(1, slots);
      const backAt = Math.min(Math.max(lastBackAt.get(key) ?? 0, now) + apartMs, now + longestAwayMs);
      lastBackAt.delete(key);
      lastBackAt.set(key, backAt);
      return Math.ceil(backAt - now);
    },
    get size() {
      return lastBackAt.size;
    },
  };
};
