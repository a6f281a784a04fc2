import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createReturns, shareSlots } from '../../src/service/share-slots.ts';
import { fairnessKeyOf } from '../../src/shared/platform/temporal/fairness.ts';

/** Attempts of a webhook at slots of their own, which hang until all are let go. */
const someSlots = (total: number) => {
  const slots = shareSlots({ activity: 'attemptDelivery', total });
  const released = Promise.withResolvers<void>();
  const attempt = (accountId: string, key: string, next: () => Promise<unknown> = () => released.promise) =>
    new MockActivityEnvironment(
      { activityType: 'attemptDelivery', isLocal: false, priority: { fairnessKey: fairnessKeyOf(accountId, key) } },
      // An attempt that is turned away fails, and would be told of at length.
      { logger: new DefaultLogger('ERROR') },
    ).run(() => slots.execute?.({ args: [], headers: {} }, next) ?? Promise.resolve());
  return { attempt, release: released.resolve };
};

/** In how many ms an attempt that is turned away comes back. */
const backIn = async (attempt: Promise<unknown>): Promise<number> => {
  const error = await attempt.catch((caught: unknown) => caught);
  if (!(error instanceof ApplicationFailure)) throw new TypeError('not turned away');
  return Number(error.nextRetryDelay);
};

test('a webhook that has nothing under way comes back as often as one of its account that has its share', async () => {
  const { attempt, release } = someSlots(300);
  const hanging = [
    ...Array.from({ length: 120 }, (_, number) => attempt('acme', `hanging-${number % 3}`)),
    ...Array.from({ length: 60 }, () => attempt('another', 'hanging')),
  ];
  const away: number[] = [];
  while (away.length < 10) away.push(await backIn(attempt('acme', 'healthy')));
  // Of each of the three 40 are under way, for ten seconds at most: one comes free every 250 ms.
  // Rounded up: 250.0000001 is 251.
  expect(away[0]).toBeLessThanOrEqual(251);
  expect(away[9]).toBeGreaterThan(2_000);
  expect(away[9]).toBeLessThanOrEqual(2_501);
  release();
  await Promise.all(hanging);
  expect(await attempt('acme', 'healthy', async () => 'attempted')).toBe('attempted');
});

test('who is turned away comes back as soon as before when the clock was put back', async () => {
  const { attempt, release } = someSlots(100);
  const hanging = Array.from({ length: 34 }, () => attempt('acme', 'hanging'));
  expect(await backIn(attempt('acme', 'hanging'))).toBeLessThanOrEqual(300);
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  expect(await backIn(attempt('acme', 'hanging'))).toBeLessThanOrEqual(600);
  release();
  await Promise.all(hanging);
});

test('what is kept of a webhook that was turned away goes when its attempts should be back', async () => {
  const returns = createReturns();
  // A webhook that never comes back: it was deleted, or another process has it now.
  for (let webhook = 0; webhook < 1_000; webhook += 1) returns.awayMs(`deleted-${webhook}`, 10_000_000);
  await vi.waitFor(
    () => {
      returns.awayMs('hanging', 1);
      expect(returns.size).toBe(1);
    },
    { timeout: 60_000 },
  );
});
