import { vi } from 'vitest';

const dayMs = 86_400_000;

/**
 * Resolves when no day of UTC, and so no week of the logs, ends within half a minute: what a test reads of the date is true until it is over. It
 * waits once a day.
 */
export const farFromMidnight = async (): Promise<void> => {
  await vi.waitUntil(() => dayMs - (Date.now() % dayMs) > 30_000, { timeout: 60_000, interval: 100 });
};
