import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { claimLimit, claimOverdue } from '../../../../src/shared/platform/dispatch/overdue.ts';
import { emitEvent } from '../../../../src/shared/events/emit.ts';
import type { EventName } from '../../../../src/shared/events/names.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { anAccount, insertWebhook } from '../../../helpers/accounts.ts';
import { createTestDatabase } from '../../../helpers/database.ts';
import { aDelivery } from '../../../helpers/deliveries.ts';
import { startLiveWorld, type LiveWorld } from '../../../helpers/live-world.ts';
import { startReceiver, type Answer, type Receiver } from '../../../helpers/receiver.ts';
import { deliveryWork } from '../../../../src/shared/deliveries/work.ts';

/** Somebody on the installation. */
type Tenant = {
  /** Webhooks for an event, all at a receiver of their own that answers like this. */
  webhooks: (count: number, name: EventName, respond: Answer) => Promise<Receiver>;
  /** So many events, whose deliveries are all asked for at once. */
  events: (name: EventName, count: number) => Promise<void>;
};

// First attempts are local ones, which hold places; ordinary ones, as all retries are and as first ones become that find no
// place, hold the worker's activity slots. `share`: about as many as one account's hanging webhooks may have under way.
describe.each([
  { attempts: 'first attempts', eager: true, share: 300 },
  { attempts: 'ordinary attempts', eager: false, share: 180 },
])('$attempts, while an account', ({ eager, share }) => {
  let live: LiveWorld;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    live = await startLiveWorld({ eager });
  });

  afterAll(async () => {
    live.world.useClient(undefined);
    // What hangs is let go, so that the workers need not wait for its time-out.
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await live.stop();
  });

  const aTenant = async (): Promise<Tenant> => {
    const { db, transact } = live.world;
    const { accountId } = await anAccount(live.world, { plan: 'business' });
    const contactId = newUuid();
    await db`insert into contacts (id, account_id) values (${contactId}, ${accountId})`;
    return {
      webhooks: async (count, name, respond) => {
        const receiver = await startReceiver({ respond });
        receivers.push(receiver);
        for (let number = 0; number < count; number += 1) {
          await insertWebhook(live.world, { accountId, url: receiver.url(`/${number}`), events: [name] });
        }
        return receiver;
      },
      events: (name, count) =>
        transact(async (tx) => {
          const event = { accountId, contactId, name, channel: 'api', occurredAt: new Date() };
          for (let number = 0; number < count; number += 1) await emitEvent(tx, event);
        }),
    };
  };

  /** Events one after the other; how long each took to the receiver, in ms, the shortest first. */
  const deliver = async (receiver: Receiver, anEvent: () => Promise<void>, count: number): Promise<number[]> => {
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

  test("floods the service, another's are delivered before its flood is", { timeout: 90_000 }, async () => {
    const [flooding, modest] = [await aTenant(), await aTenant()];
    const flooded = await flooding.webhooks(10, 'new_message', 200);
    const receiver = await modest.webhooks(1, 'new_message', 200);
    const anEvent = () => modest.events('new_message', 1);
    await deliver(receiver, anEvent, 5);

    const flood = 400;
    await flooding.events('new_message', flood / 10);
    await deliver(receiver, anEvent, 1);
    expect(flooded.requests.length).toBeLessThan(flood);
    await vi.waitUntil(() => flooded.requests.length === flood, { timeout: 60_000, interval: 50 });
  });

  describe('hangs with ten webhooks', () => {
    let healthy: Tenant;
    let hanging: Tenant;
    let ofAnother: Receiver;
    let ofItsOwn: Receiver;

    beforeAll(async () => {
      [healthy, hanging] = [await aTenant(), await aTenant()];
      ofAnother = await healthy.webhooks(1, 'new_message', 200);
      ofItsOwn = await hanging.webhooks(1, 'conversation_closed', 200);
      const hangs = await hanging.webhooks(10, 'new_message', { type: 'hang' });
      await deliver(ofAnother, () => healthy.events('new_message', 1), 5);
      await hanging.events('new_message', 45);
      // What is measured is the wait for what hangs, not the work of starting it: nothing more begins.
      await live.world.dispatcher.drain();
      await hangs.waitFor(share, 30_000);
      await stopsGrowing(() => hangs.requests.length);
    }, 60_000);

    /** How long the slowest but one in twenty, and the slowest, took. */
    const slowestOf = async (receiver: Receiver, anEvent: () => Promise<void>) =>
      (await deliver(receiver, anEvent, 20)).slice(-2);

    /** Whoever meets a service that is held has all of the wait, most of ten seconds, and those after it none. */
    const noWait = [expect.toSatisfy((ms: number) => ms < 2_000), expect.toSatisfy((ms: number) => ms < 5_000)];

    test("another's are delivered without waiting for it", { timeout: 60_000 }, async () => {
      expect(await slowestOf(ofAnother, () => healthy.events('new_message', 1))).toEqual(noWait);
    });

    test('those of its own that go elsewhere are, too', { timeout: 60_000 }, async () => {
      expect(await slowestOf(ofItsOwn, () => hanging.events('conversation_closed', 1))).toEqual(noWait);
    });
  });
});

/** Resolves when a count has stayed the same for half a second. */
const stopsGrowing = async (count: () => number): Promise<void> => {
  let [last, since] = [count(), performance.now()];
  await vi.waitUntil(
    () => {
      if (count() !== last) [last, since] = [count(), performance.now()];
      return performance.now() - since > 500;
    },
    { timeout: 30_000, interval: 20 },
  );
};

test("the sweep claims one account's few overdue deliveries beside another's many that are older", async () => {
  const { db, drop } = await createTestDatabase();
  try {
    const [many, few] = [newUuid(), newUuid()];
    const overdue = (accountId: string) => aDelivery(db, { accountId, webhookId: newUuid(), status: 'pending' });
    await Promise.all(Array.from({ length: 2 * claimLimit }, () => overdue(many)));
    const expected = await Promise.all([overdue(few), overdue(few), overdue(few)]);

    const claims = [
      await claimOverdue(db, [deliveryWork]),
      await claimOverdue(db, [deliveryWork]),
      await claimOverdue(db, [deliveryWork]),
    ];
    const idsOf = (claim: (typeof claims)[number] = []) => claim.map(({ row }) => row.id);
    expect(idsOf(claims[0])).toEqual(expect.arrayContaining(expected));
    expect(claims.map(({ length }) => length)).toEqual([claimLimit, claimLimit, 3]);
    expect(new Set(claims.flatMap(idsOf)).size).toBe(2 * claimLimit + 3);
  } finally {
    await drop();
  }
});
