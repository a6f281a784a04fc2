import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { setPlan } from '../../../src/shared/accounts/queries.ts';
import { emitEvent } from '../../../src/shared/events/emit.ts';
import { lockWebhook } from '../../../src/shared/webhooks/locks.ts';
import { untilSomebodyWaits } from '../../helpers/database.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';

describe('an event', () => {
  let world: DeliveryWorld;

  beforeAll(async () => {
    world = await startDeliveryWorld();
  });

  beforeEach(async () => {
    await world.db`update accounts set plan = 'pro'`;
    await world.db`update webhooks set deleted_at = now()`;
    await world.db`delete from deliveries`;
    await world.db`delete from events`;
  });

  afterAll(() => world.stop());

  const url = 'https://receiver.example/hook';
  const deliveries = () => world.db<{ webhookId: string; status: string; swept: boolean }[]>`
    select webhook_id, status, sweep_at is not null as swept from deliveries order by webhook_id`;
  const count = async () => (await world.db`select from events`).count;

  test('makes one delivery for each webhook that subscribes to it, and asks for its workflow after the commit', async () => {
    const wanted = await world.aWebhook({ url });
    const named = await world.aWebhook({ url, variant: 'dashboard', events: ['new_message', 'new_contact'] });
    await world.aWebhook({ url, events: ['new_contact'] });
    const asked = await world.anEvent();
    expect(await deliveries()).toEqual([
      { webhookId: wanted, status: 'pending', swept: true },
      { webhookId: named, status: 'pending', swept: true },
    ]);
    expect(asked).toHaveLength(2);
  });

  test('is recorded also when nobody subscribes', async () => {
    expect(await world.anEvent()).toEqual([]);
    expect([await count(), await deliveries()]).toEqual([1, []]);
  });

  test('leaves nothing behind and starts nothing when its transaction is rolled back', async () => {
    await world.aWebhook({ url });
    const before = world.dispatched.length;
    const failing = world.transact(async (tx) => {
      const { accountId, contactId } = world;
      await emitEvent(tx, { accountId, contactId, name: 'new_contact', channel: 'api', occurredAt: new Date() });
      throw new Error('the domain write failed');
    });
    await expect(failing).rejects.toThrow('the domain write failed');
    expect([await count(), await deliveries()]).toEqual([0, []]);
    expect(world.dispatched).toHaveLength(before);
  });

  test('is kept as parked for a webhook that is disabled, and for all when the plan has lapsed', async () => {
    const disabled = await world.aWebhook({ url });
    await world.db`update webhooks set status = 'disabled', disabled_reason = 'failures' where id = ${disabled}`;
    expect(await world.anEvent()).toEqual([]);
    expect(await deliveries()).toEqual([{ webhookId: disabled, status: 'parked', swept: false }]);

    await world.db`delete from deliveries`;
    await world.db`update webhooks set status = 'active', disabled_reason = null where id = ${disabled}`;
    await world.transact((tx) => setPlan(tx, world.accountId, 'free'));
    expect(await world.anEvent()).toEqual([]);
    expect(await deliveries()).toEqual([{ webhookId: disabled, status: 'parked', swept: false }]);
  });

  test('and its deliveries have their ids by the clock of the database, whatever this machine takes for the time', async () => {
    await world.aWebhook({ url });
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 });
    await world.anEvent();
    const ahead = await world.db`
      select id from events where uuid_extract_timestamp(id) > now()
      union all select id from deliveries where uuid_extract_timestamp(id) > now()`;
    expect([await count(), (await deliveries()).length, ahead.length]).toEqual([1, 1, 0]);
  });

  test('makes nothing for a webhook that was never verified', async () => {
    const unverified = await world.aWebhook({ url, variant: 'dashboard' });
    await world.db`update webhooks set status = 'disabled', disabled_reason = 'unverified' where id = ${unverified}`;
    expect(await world.anEvent()).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  test('is not parked without a lock: what became unsendable in between stays pending, for its attempt to park', async () => {
    const first = await world.aWebhook({ url });
    const second = await world.aWebhook({ url });
    await world.db`update webhooks set status = 'disabled', disabled_reason = 'failures' where id = ${first}`;
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const locking = world.db.begin(async (sql) => {
      await lockWebhook(sql, first);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const emitted = world.anEvent();
    await untilSomebodyWaits(world.db);
    await world.db`update webhooks set status = 'disabled', disabled_reason = 'failures' where id = ${second}`;
    release.resolve();
    await locking;
    await emitted;
    expect(await deliveries()).toEqual([
      { webhookId: first, status: 'parked', swept: false },
      { webhookId: second, status: 'pending', swept: true },
    ]);
  });

  test('that would be parked waits for a re-enabling under way, and is sent after it', async () => {
    const webhook = await world.aWebhook({ url });
    await world.db`update webhooks set status = 'disabled', disabled_reason = 'failures' where id = ${webhook}`;
    const enabling = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const enabled = world.db.begin(async (sql) => {
      await lockWebhook(sql, webhook);
      await sql`update webhooks set status = 'active', disabled_reason = null where id = ${webhook}`;
      locked.resolve();
      await enabling.promise;
    });
    await locked.promise;
    const emitted = world.anEvent();
    await untilSomebodyWaits(world.db);
    enabling.resolve();
    await enabled;
    expect(await emitted).toHaveLength(1);
    expect(await deliveries()).toEqual([{ webhookId: webhook, status: 'pending', swept: true }]);
  });
});
