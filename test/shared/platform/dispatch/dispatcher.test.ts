import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDispatcher } from '../../../../src/shared/platform/dispatch/dispatcher.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { clientOfSilence } from '../../../helpers/silent-temporal.ts';
import { aDeliveryItem } from '../../../helpers/items.ts';
import { byTheClock } from '../../../helpers/by-the-clock.ts';

test(
  'stopping while Temporal is silent awaits only starts under way; the sweep makes the rest',
  byTheClock,
  async () => {
    const client = await clientOfSilence();
    const left: number[] = [];
    const dispatcher = createDispatcher({
      client: () => client,
      eager: true,
      log: pino({ level: 'silent' }),
      metrics: { dispatched: (outcome, count = 1) => void (outcome === 'left_to_sweep' && left.push(count)) },
    });
    const asked = 20 * 1_000;
    for (let account = 0; account < 20; account += 1) {
      const accountId = newUuid();
      dispatcher.dispatch(Array.from({ length: 1_000 }, () => aDeliveryItem(accountId)));
    }
    expect(dispatcher.waiting()).toBeGreaterThan(9_000);

    const sinceMs = performance.now();
    await dispatcher.stop();
    expect(performance.now() - sinceMs).toBeLessThan(15_000);
    expect(dispatcher.waiting()).toBe(0);
    expect(left.reduce((sum, count) => sum + count, 0)).toBe(asked);
  },
);

test('a start that waits for a slot is made in time, even when the clock is put forward', async () => {
  onTestFinished(() => void vi.useRealTimers());
  const slot = Promise.withResolvers<void>();
  let asked = 0;
  const dispatcher = createDispatcher({
    client: () => {
      asked += 1;
      return undefined;
    },
    eager: true,
    log: pino({ level: 'silent' }),
    starts: { take: (_, work) => slot.promise.then(work), waiting: () => 0, close: () => {} },
  });
  dispatcher.dispatch([aDeliveryItem(newUuid())]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  slot.resolve();
  await dispatcher.drain();
  expect(asked).toBe(1);
});

test('the one event of an account starts ahead of most of another account’s earlier flood', async () => {
  const order: string[] = [];
  const client = await clientOfSilence({
    interceptors: {
      workflow: [
        {
          startWithDetails: async ({ options: { workflowId } }) => {
            order.push(workflowId);
            await new Promise(setImmediate);
            return { runId: newUuid(), eagerlyStarted: false };
          },
        },
      ],
    },
  });
  const dispatcher = createDispatcher({
    client: () => client,
    eager: false,
    log: pino({ level: 'silent' }),
  });
  const [flooding, modest] = [newUuid(), aDeliveryItem(newUuid())];
  dispatcher.dispatch(Array.from({ length: 1_000 }, () => aDeliveryItem(flooding)));
  dispatcher.dispatch([modest]);
  await dispatcher.drain();
  expect(order).toHaveLength(1_001);
  // After those that were under way already, 64 of them.
  expect(order.indexOf(modest.work.workflowId(modest.row))).toBeLessThan(70);
});
