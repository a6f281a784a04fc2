import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccount } from '../../../src/shared/accounts/create-account.ts';
import { claimLimit, claimOverdue } from '../../../src/shared/dispatch/overdue.ts';
import { emitEvent } from '../../../src/shared/events/emit.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { createTestDatabase } from '../../helpers/database.ts';
import { aDelivery } from '../../helpers/deliveries.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver, type Answer, type Receiver } from '../../helpers/receiver.ts';
import { runWorkers, startDevServer, type DevServer, type RunningWorkers } from '../../helpers/temporal.ts';

/** Somebody else on the same installation, with webhooks at a receiver of their own. */
type Tenant = { receiver: Receiver; anEvent: () => Promise<void> };

// First attempts are local ones, which hold places; ordinary ones, as all retries are, hold the worker's activity slots.
describe.each([
  { attempts: 'first attempts', eager: true },
  { attempts: 'ordinary attempts', eager: false },
])('$attempts of one account while another', ({ eager }) => {
  let temporal: DevServer;
  let world: DeliveryWorld;
  let workers: RunningWorkers;
  let receivers: Receiver[];

  beforeEach(async () => {
    receivers = [];
    [temporal, world] = await Promise.all([startDevServer(), startDeliveryWorld({ eager })]);
    world.useClient(temporal.client);
    workers = await runWorkers(temporal, world.activities);
  });

  afterEach(async () => {
    world.useClient(undefined);
    // What hangs is let go, so that the workers need not wait for its time-out.
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await workers.stop();
    await Promise.all([world.stop(), temporal.stop()]);
  });

  const aTenant = async ({ webhooks, respond }: { webhooks: number; respond: Answer }): Promise<Tenant> => {
    const receiver = await startReceiver({ respond });
    receivers.push(receiver);
    const { db, secrets, transact } = world;
    const owner = { name: 'Tenant', email: `${newUuid()}@tenant.example`, plan: 'business' } as const;
    const { accountId } = await createAccount({ sql: db, secrets }, owner);
    const contactId = newUuid();
    await db`insert into contacts (id, account_id) values (${contactId}, ${accountId})`;
    for (let number = 0; number < webhooks; number += 1) {
      const id = newUuid();
      await db`
        insert into webhooks (id, account_id, variant, url, events, secret, status)
        values (${id}, ${accountId}, 'api', ${receiver.url(`/${number}`)}, ${['*']},
          ${secrets.seal('a-secret', { accountId, rowId: id })}, 'active')`;
    }
    const message = { text: 'hello', direction: 'inbound', sentAt: new Date() } as const;
    const anEvent = () =>
      transact((tx) =>
        emitEvent(tx, {
          accountId,
          contactId,
          name: 'new_message',
          channel: 'api',
          occurredAt: new Date(),
          message: { id: showId('message', newUuid()), ...message },
        }),
      );
    return { receiver, anEvent };
  };

  /** Deliveries one after the other; how long each took from its event to the receiver, in ms, the shortest first. */
  const deliver = async ({ receiver, anEvent }: Tenant, count: number): Promise<number[]> => {
    const tookMs: number[] = [];
    for (let number = 0; number < count; number += 1) {
      const before = receiver.requests.length;
      const startMs = performance.now();
      await anEvent();
      await receiver.waitFor(before + 1, 30_000);
      tookMs.push(performance.now() - startMs);
    }
    return tookMs.toSorted((a, b) => a - b);
  };

  test('hangs with all its webhooks, are delivered without waiting for it', { timeout: 90_000 }, async () => {
    const hanging = await aTenant({ webhooks: 10, respond: { type: 'hang' } });
    const healthy = await aTenant({ webhooks: 1, respond: 200 });
    await deliver(healthy, 5);

    for (let number = 0; number < 60; number += 1) await hanging.anEvent();
    // About as many as its share lets it have.
    await hanging.receiver.waitFor(180, 30_000);
    const tookMs = await deliver(healthy, 40);
    expect(tookMs[37]).toBeLessThan(2_000);
    // Whoever meets a service that is held has all of the wait, and those after it none: ten seconds, or more.
    expect(tookMs[39]).toBeLessThan(5_000);
  });

  test('floods the service with its own, are delivered before its flood is', { timeout: 90_000 }, async () => {
    const flooding = await aTenant({ webhooks: 10, respond: 200 });
    const modest = await aTenant({ webhooks: 1, respond: 200 });
    await deliver(modest, 5);

    const flood = 500;
    for (let number = 0; number < flood / 10; number += 1) await flooding.anEvent();
    await deliver(modest, 5);
    expect(flooding.receiver.requests.length).toBeLessThan(flood);
    await vi.waitUntil(() => flooding.receiver.requests.length === flood, { timeout: 60_000, interval: 50 });
  });
});

test("the sweep claims one account's few overdue deliveries beside another's many that are older", async () => {
  const { db, drop } = await createTestDatabase();
  try {
    const [many, few] = [newUuid(), newUuid()];
    const overdue = (accountId: string) => aDelivery(db, { accountId, webhookId: newUuid(), status: 'pending' });
    await Promise.all(Array.from({ length: 2 * claimLimit }, () => overdue(many)));
    const expected = await Promise.all([overdue(few), overdue(few), overdue(few)]);

    const claims = [await claimOverdue(db), await claimOverdue(db), await claimOverdue(db)];
    const idsOf = (claim: (typeof claims)[number] = []) =>
      claim.flatMap((request) => (request.type === 'delivery' ? [request.deliveryId] : []));
    expect(idsOf(claims[0])).toEqual(expect.arrayContaining(expected));
    expect(claims.map(({ length }) => length)).toEqual([claimLimit, claimLimit, 3]);
    expect(new Set(claims.flatMap(idsOf)).size).toBe(2 * claimLimit + 3);
  } finally {
    await drop();
  }
});
