import { once } from 'node:events';
import { createServer } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { claimOverdue } from '../../src/shared/platform/dispatch/overdue.ts';
import { createSweep } from '../../src/shared/platform/dispatch/sweep.ts';
import { cancelDelivery, retryDelivery } from '../../src/shared/deliveries/actions.ts';
import { deliveryWork } from '../../src/shared/deliveries/work.ts';
import { asItem } from '../../src/shared/platform/dispatch/work.ts';
import { showId } from '../../src/shared/ids.ts';
import { aPendingRow } from '../helpers/deliveries.ts';
import { pausesOf, useLadderWorld } from '../helpers/ladder-world.ts';
import type { Answer } from '../helpers/receiver.ts';
import { shownOf, timersOf } from '../helpers/temporal.ts';
import { works } from '../../src/shared/works.ts';
import { makeOverdue } from '../helpers/states/deliveries.ts';
import { disableWebhook } from '../helpers/states/webhooks.ts';
import { untold } from '../helpers/untold.ts';

/** A loopback port on which nobody listens. */
const closedPort = async (): Promise<{ port: number }> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
};

const live = await useLadderWorld();
const { env, world, receiver } = live;

describe('what is asked of a sleeping delivery', () => {
  /** A delivery of variant A that has failed once and sleeps towards its first retry. */
  const aSleeper = async (next: Answer[]) => {
    receiver.respondWith([500, ...next]);
    const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    const handle = env.client.workflow.getHandle(`delivery/${showId('delivery', id)}`);
    return { id, webhookId, handle };
  };

  const kinds = async (id: string) =>
    (await world.attempts(id)).map(({ kind, number, outcome }) => `${kind} ${number} ${outcome}`);

  test('a manual attempt that succeeds ends the delivery; no attempt of the ladder follows', async () => {
    const { id, handle } = await aSleeper([200]);
    await handle.signal('retryNow');
    expect(await handle.result()).toMatchObject({ status: 'delivered' });
    expect(await kinds(id)).toEqual(['scheduled 1 failed', 'manual 1 succeeded']);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptsMade: 1, sweepAt: null });
  });

  test('a manual attempt that fails changes nothing of the ladder or its timers', async () => {
    const { id, handle } = await aSleeper([500]);
    const before = await world.delivery(id);
    await handle.signal('retryNow');
    await world.attemptsOf(id, 2);
    expect(await world.delivery(id)).toEqual(before);

    await handle.signal('retryNow');
    await world.attemptsOf(id, 3);
    receiver.respondWith([500, 200]);
    expect(await handle.result()).toMatchObject({ status: 'delivered' });
    expect(await kinds(id)).toEqual([
      'scheduled 1 failed',
      'manual 1 failed',
      'manual 2 failed',
      'scheduled 2 failed',
      'scheduled 3 succeeded',
    ]);
    expect(await pausesOf(live, id)).toEqual([30_000, 60_000]);
  });

  test('cancelled while it sleeps, it ends unsent', async () => {
    const { id, handle } = await aSleeper([200]);
    const before = receiver.requests.length;
    await handle.signal('cancel');
    expect(await handle.result()).toMatchObject({ status: 'cancelled' });
    expect(await world.delivery(id)).toMatchObject({ status: 'cancelled', nextAttemptAt: null, sweepAt: null });
    expect(receiver.requests).toHaveLength(before);
  });

  test("a cancellation requested in Temporal's UI is the same, and the workflow completes", async () => {
    const { id, handle } = await aSleeper([200]);
    await handle.cancel();
    expect(await handle.result()).toMatchObject({ status: 'cancelled' });
    expect((await handle.describe()).status.name).toBe('COMPLETED');
    expect(await world.delivery(id)).toMatchObject({ status: 'cancelled' });
  });

  test.each([
    { answer: 200, ends: 'delivered' },
    { answer: 500, ends: 'cancelled' },
  ] as const)(
    'cancelled while its POST is under way, which answers $answer, it ends $ends',
    async ({ answer, ends }) => {
      const underWay = Promise.withResolvers<void>();
      const { id, handle } = await aSleeper([]);
      receiver.respondWith(async () => {
        await handle.cancel();
        underWay.resolve();
        return answer;
      });
      await handle.signal('retryNow');
      await underWay.promise;
      expect(await handle.result()).toMatchObject({ status: ends });
      expect(await world.delivery(id)).toMatchObject({ status: ends });
    },
  );

  test('a delivery whose webhook was disabled meanwhile is parked at its next attempt, unsent', async () => {
    const { id, webhookId, handle } = await aSleeper([200]);
    const before = receiver.requests.length;
    await disableWebhook(world.db, webhookId);
    expect(await handle.result()).toEqual({ status: 'parked', reason: 'status', status_code: 500 });
    expect((await shownOf(env.client, handle.workflowId)).details).toMatch(
      /^\*\*parked\*\*: 1 attempt, answered 500 in \d+ ms; webhook disabled, or/,
    );
    expect(await world.delivery(id)).toMatchObject({ status: 'parked', sweepAt: null });
    expect(receiver.requests).toHaveLength(before);
  });

  /** A delivery that nobody was asked to carry. */
  const anUnheardOne = async (): Promise<string> => {
    const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
    return (await aPendingRow(world.db, { accountId: world.accountId, webhookId })).id;
  };

  /** A delivery of which so many attempts have failed and are recorded, and whose workflow Temporal knows nothing of. */
  const aForgottenOne = async (failures: number) => {
    receiver.respondWith(500);
    const id = await anUnheardOne();
    for (let number = 1; number <= failures; number += 1) {
      const key = { deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number } as const;
      await world.attempt(key);
    }
    await makeOverdue(world.db, id);
    return { id, handle: env.client.workflow.getHandle(`delivery/${showId('delivery', id)}`) };
  };

  test('when Temporal has lost its database, a delivery goes on from its recorded attempts, on schedule', async () => {
    const { id, handle } = await aForgottenOne(1);
    receiver.respondWith([500, 200]);
    expect(await world.sweep()).toBe(1);
    expect(await handle.result()).toMatchObject({ status: 'delivered' });

    expect(await kinds(id)).toEqual(['scheduled 1 failed', 'scheduled 2 failed', 'scheduled 3 succeeded']);
    const [first = 0, ...others] = await timersOf(env.client, handle.workflowId);
    expect(first).toBeGreaterThan(25_000);
    expect(first).toBeLessThanOrEqual(30_000);
    expect(others).toEqual([60_000]);
  });

  test('one whose six attempts are all recorded is settled without another POST', async () => {
    const { id, handle } = await aForgottenOne(6);
    const before = receiver.requests.length;
    expect(await world.sweep()).toBe(1);
    expect(await handle.result()).toMatchObject({ status: 'failed' });
    expect(await world.delivery(id)).toMatchObject({ status: 'failed', attemptsMade: 6, sweepAt: null });
    expect(receiver.requests).toHaveLength(before);
  });

  test('while Temporal is away nothing is claimed, and what could not be started is looked at again at once', async () => {
    const { id, handle } = await aForgottenOne(1);
    const before = await world.delivery(id);
    const log = pino({ level: 'silent' });
    const away = createSweep({
      works,
      db: world.db,
      client: () => env.client,
      temporalAnswers: async () => false,
      log,
    });
    expect(await away()).toBe(0);
    expect(await world.delivery(id)).toEqual(before);

    const { port } = await closedPort();
    const nowhere = new Client({ connection: Connection.lazy({ address: `127.0.0.1:${port}` }) });
    const failing = createSweep({ works, db: world.db, client: () => nowhere, temporalAnswers: async () => true, log });
    expect(await failing()).toBe(0);
    const { sweepAt } = await world.delivery(id);
    expect((sweepAt?.getTime() ?? Infinity) - Date.now()).toBeLessThan(6_000);
    await nowhere.connection.close();

    await makeOverdue(world.db, id);
    receiver.respondWith(200);
    expect(await world.sweep()).toBe(1);
    expect(await handle.result()).toMatchObject({ status: 'delivered' });
  });

  test('however many sweeps were killed between their claim and the start, the next look is seconds away', async () => {
    const { id, handle } = await aForgottenOne(1);
    for (let killed = 0; killed < 6; killed += 1) {
      await claimOverdue(world.db, works);
      await makeOverdue(world.db, id);
    }
    await claimOverdue(world.db, works);
    const { sweepAt } = await world.delivery(id);
    expect((sweepAt?.getTime() ?? Infinity) - Date.now()).toBeLessThan(30_000);

    await makeOverdue(world.db, id);
    receiver.respondWith(200);
    expect(await world.sweep()).toBe(1);
    expect(await handle.result()).toMatchObject({ status: 'delivered' });
  });

  test('retry now, asked before the workflow is started, starts it and makes the attempt; a later start changes nothing', async () => {
    receiver.respondWith([500, 500, 200]);
    await world.aWebhook({ url: receiver.url('/hook') });
    world.useClient(undefined);
    const [id = ''] = await world.anEvent();
    await world.drain();
    world.useClient(env.client);
    expect(await world.delivery(id)).toMatchObject({ status: 'retrying', attemptsMade: 1 });

    const scope = { accountId: world.accountId, variants: ['api'] } as const;
    await retryDelivery({ db: world.db, temporal: () => env.client }, scope, id);
    await world.attemptsOf(id, 2);
    await makeOverdue(world.db, id);
    expect(await world.sweep()).toBe(0);
    const handle = env.client.workflow.getHandle(`delivery/${showId('delivery', id)}`);
    expect(await handle.result()).toMatchObject({ status: 'delivered' });
    expect(await kinds(id)).toEqual(['scheduled 1 failed', 'manual 1 failed', 'scheduled 2 succeeded']);
  });

  test('a delivery that was cancelled before its first failure is recorded has no workflow', async () => {
    const webhookId = await world.aWebhook({ url: receiver.url('/cancelled') });
    const scope = { accountId: world.accountId, variants: ['api'] } as const;
    const row = await aPendingRow(world.db, { accountId: world.accountId, webhookId });
    receiver.respondWith(async () => {
      await cancelDelivery(untold(world.db), scope, row.id);
      return 500;
    });
    world.dispatcher.dispatch([asItem(deliveryWork, row)]);
    await world.drain();
    expect(await world.delivery(row.id)).toMatchObject({ status: 'cancelled', sweepAt: null });
    const handle = env.client.workflow.getHandle(`delivery/${showId('delivery', row.id)}`);
    await expect(handle.describe()).rejects.toThrow(/not found/);
  });

  test('a delivery that nothing has sent is sent by the sweep, once', async () => {
    receiver.respondWith(200);
    const id = await anUnheardOne();
    await makeOverdue(world.db, id);
    const before = receiver.requests.length;
    await Promise.all([world.sweep(), world.sweep(), world.sweep()]);
    await world.firstAttempt(id);
    await world.drain();
    expect(await env.client.workflow.getHandle(`delivery/${showId('delivery', id)}`).result()).toMatchObject({
      status: 'delivered',
    });
    expect(receiver.requests).toHaveLength(before + 1);
  });
});
