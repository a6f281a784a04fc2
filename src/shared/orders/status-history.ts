import { orderLimits, type HadStatus } from './schema.ts';

/**
 * The statuses of an order after it had one at a time, in the order of their times; the last one is the present one. A status that it had at that
 * time already changes nothing, and one that it got next is had earlier. Only the latest are kept.
 */
export const withStatus = (history: readonly HadStatus[], status: string, at: Date): readonly HadStatus[] => {
  const place = history.findLastIndex(({ changed_at }) => Date.parse(changed_at) <= at.getTime()) + 1;
  if (history[place - 1]?.status === status) return history;
  const next = history[place]?.status === status ? place + 1 : place;
  const entry = { status, changed_at: at.toISOString() };
  return [...history.slice(0, place), entry, ...history.slice(next)].slice(-orderLimits.statuses);
};
