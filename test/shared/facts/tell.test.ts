import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { setPlan } from '../../../src/shared/accounts/queries.ts';
import { deliverToWebhooks } from '../../../src/shared/deliveries/deliver-to-webhooks.ts';
import { type EventTransact, type Reaction, withReactions } from '../../../src/shared/facts/tell.ts';
import type { DomainEvent } from '../../../src/shared/facts/domain-event.ts';
import type { EventName } from '../../../src/shared/facts/names.ts';
import { createSampleEvent } from '../../../src/shared/events/samples.ts';
import { createTransact } from '../../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../../src/shared/reactions.ts';
import { lockWebhook } from '../../../src/shared/webhooks/locks.ts';
import { connectOverheard, untilSomebodyWaits } from '../../helpers/database.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { movePlan } from '../../helpers/states/accounts.ts';
import { emptyLog } from '../../helpers/states/deliveries.ts';
import { activateWebhook, anUnverifiedWebhook, disableWebhook, retireWebhooks } from '../../helpers/states/webhooks.ts';
import { createContact } from '../../../src/shared/contacts/queries.ts';
import { aConversation, setLastChannel } from '../../helpers/states/conversations.ts';

describe('an event', () => {
  let world: DeliveryWorld;

  beforeAll(async () => {
    world = await startDeliveryWorld();
  });

  beforeEach(async () => {
    await movePlan(world.db, world.accountId, 'pro');
    await retireWebhooks(world.db);
    await emptyLog(world.db);
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
      await tx.tell({ accountId, contactId, name: 'new_contact', occurredAt: new Date() });
      throw new Error('the domain write failed');
    });
    await expect(failing).rejects.toThrow('the domain write failed');
    expect([await count(), await deliveries()]).toEqual([0, []]);
    expect(world.dispatched).toHaveLength(before);
  });

  test('is kept as parked for a webhook that is disabled, and for all when the plan has lapsed', async () => {
    const disabled = await world.aWebhook({ url });
    await disableWebhook(world.db, disabled);
    expect(await world.anEvent()).toEqual([]);
    expect(await deliveries()).toEqual([{ webhookId: disabled, status: 'parked', swept: false }]);

    await emptyLog(world.db);
    await activateWebhook(world.db, disabled);
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
    await anUnverifiedWebhook(world.db, world.accountId);
    expect(await world.anEvent()).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  test('is not parked without a lock: what became unsendable in between stays pending, for its attempt to park', async () => {
    const first = await world.aWebhook({ url });
    const second = await world.aWebhook({ url });
    await disableWebhook(world.db, first);
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
    await disableWebhook(world.db, second);
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
    await disableWebhook(world.db, webhook);
    const enabling = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const enabled = world.db.begin(async (sql) => {
      await lockWebhook(sql, webhook);
      await activateWebhook(sql, webhook);
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

  test('that had to wait before it could be parked goes to a webhook that was made meanwhile, too', async () => {
    const disabled = await world.aWebhook({ url });
    await disableWebhook(world.db, disabled);
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const locking = world.db.begin(async (sql) => {
      await lockWebhook(sql, disabled);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const emitted = world.anEvent();
    await untilSomebodyWaits(world.db);
    const made = await world.aWebhook({ url });
    release.resolve();
    await locking;
    await emitted;
    expect(await deliveries()).toEqual([
      { webhookId: disabled, status: 'parked', swept: false },
      { webhookId: made, status: 'pending', swept: true },
    ]);
  });

  /** Two events of one transaction, the second one when `between` is done. */
  const emitTwo = (
    names: readonly [EventName, EventName],
    between: () => Promise<unknown> = async () => {},
    transact: EventTransact = world.transact,
  ): Promise<void> =>
    transact(async (tx) => {
      const [first, second] = names.map((name) => ({ ...createSampleEvent(name, new Date()), ...whose() }));
      if (first) await tx.tell(first);
      await between();
      if (second) await tx.tell(second);
    });
  const whose = () => ({ accountId: world.accountId, contactId: world.contactId });
  const disable = (id: string) => disableWebhook(world.db, id);
  const enable = async (id: string): Promise<number> =>
    world.db.begin(async (sql) => {
      await lockWebhook(sql, id);
      await activateWebhook(sql, id);
      return (await sql`select from deliveries where webhook_id = ${id} and status = 'parked'`).count;
    });

  test('beside another one of its transaction is parked before a re-enabling, which waits for both and finds both', async () => {
    const webhook = await world.aWebhook({ url });
    await disable(webhook);
    let found: Promise<number> | undefined;
    const flush: typeof deliverToWebhooks.flush = async (tx, all) => {
      await deliverToWebhooks.flush(tx, all);
      found = enable(webhook);
      await untilSomebodyWaits(world.db);
    };
    const transact = withReactions(
      { ...reactions, beforeCommit: { ...deliverToWebhooks, flush } },
      createTransact(world.db, () => {}),
    );
    await emitTwo(['new_contact', 'new_message'], undefined, transact);
    expect(await found).toBe(2);
    expect(await deliveries()).toEqual([
      { webhookId: webhook, status: 'parked', swept: false },
      { webhookId: webhook, status: 'parked', swept: false },
    ]);
  });

  test('of another name decides under a lock, too, about a webhook that the one before it did not concern', async () => {
    const webhook = await world.aWebhook({ url, events: ['new_message'] });
    await disable(webhook);
    const asked = world.dispatched.length;
    await emitTwo(['new_contact', 'new_message'], () => enable(webhook));
    expect(await deliveries()).toEqual([{ webhookId: webhook, status: 'pending', swept: true }]);
    expect(world.dispatched).toHaveLength(asked + 1);
  });

  test('reads the webhooks of its account once in a transaction: what is disabled in between stays pending, for its attempt to park', async () => {
    const webhook = await world.aWebhook({ url });
    await emitTwo(['new_contact', 'new_message'], () => disable(webhook));
    expect(await deliveries()).toEqual([
      { webhookId: webhook, status: 'pending', swept: true },
      { webhookId: webhook, status: 'pending', swept: true },
    ]);
  });

  test('has its deliveries inserted just before the commit, with those of all other events and in their order', async () => {
    await world.aWebhook({ url });
    await disable(await world.aWebhook({ url }));
    const statements: string[] = [];
    const overheard = connectOverheard(world.target, (statement) => statements.push(statement.trim()));
    onTestFinished(() => overheard.end());
    const transact = withReactions(
      reactions,
      createTransact(overheard, () => {}),
    );
    const between = async () => void statements.splice(0);
    await emitTwo(['new_contact', 'new_message'], between, transact);
    expect(statements.map((statement) => /^insert into \w+|^\w+/.exec(statement)?.[0])).toEqual([
      'insert into events',
      'select',
      'with',
      'insert into deliveries',
      'commit',
    ]);
    const rows = await world.db`select event_name, status from deliveries order by id`;
    expect(rows).toEqual([
      { eventName: 'new_contact', status: 'pending' },
      { eventName: 'new_contact', status: 'parked' },
      { eventName: 'new_message', status: 'pending' },
      { eventName: 'new_message', status: 'parked' },
    ]);
  });

  test('told in a savepoint that is rolled back is dropped, and so is its delivery', async () => {
    await world.aWebhook({ url });
    const event = { name: 'new_contact', occurredAt: new Date(), ...whose() } as const;
    const asked = world.dispatched.length;
    await world.transact(async (tx) => {
      const undone = tx.savepoint(async (inner) => {
        await inner.tell(event);
        await inner.savepoint((innermost) => innermost.tell(event));
        await inner.sql`select 1 / 0`;
      });
      await expect(undone).rejects.toThrow('division by zero');
      await tx.savepoint((inner) => inner.tell(event));
    });
    expect([await count(), (await deliveries()).length, world.dispatched.length - asked]).toEqual([1, 1, 1]);
  });

  test('carries the channel of its conversation, else the one that the contact has used last, else api', async () => {
    const { db, accountId } = world;
    const contact = await world.transact((tx) => createContact(tx, accountId, {}));
    const conversationId = await aConversation(db, { accountId, contactId: contact.id, channel: 'telegram' });
    const channelOf = async (about: { conversationId?: string }): Promise<unknown> => {
      const event = {
        name: 'new_contact',
        accountId,
        contactId: contact.id,
        occurredAt: new Date(),
        ...about,
      } as const;
      await world.transact((tx) => tx.tell(event));
      const [row] = await db`select channel from events order by id desc limit 1`;
      return row?.channel;
    };
    expect(await channelOf({})).toBe('api');
    await setLastChannel(db, contact.id, 'webchat');
    expect(await channelOf({})).toBe('webchat');
    expect(await channelOf({ conversationId })).toBe('telegram');
  });

  test('is followed in its own transaction by every reaction, which hears how far it is from what somebody did', async () => {
    const seen: unknown[] = [];
    const note: Reaction<{ there: number }> = {
      read: (sql) => sql`select json_build_object('there', count(*)) from events`,
      react: async ({ sql }, { id, cause }, { there: before }) => {
        const rows = await sql`select from events where id = ${id}`;
        seen.push({ depth: cause.depth, before, recorded: rows.count });
      },
    };
    const transact = withReactions(
      { ...reactions, toEvents: [note] },
      createTransact(world.db, () => {}),
    );
    const event = { name: 'new_contact', occurredAt: new Date(), ...whose() } as const;
    await transact((tx) => tx.tell(event));
    await transact((tx) => tx.tell({ ...event, cause: { depth: 3 } }));
    expect(seen).toEqual([
      { depth: 0, before: 0, recorded: 1 },
      { depth: 3, before: 1, recorded: 1 },
    ]);
  });

  test('is not there when a reaction fails', async () => {
    const failing: Reaction = {
      read: (sql) => sql`select null`,
      react: async () => {
        throw new Error('a reaction failed');
      },
    };
    const transact = withReactions(
      { ...reactions, toEvents: [failing] },
      createTransact(world.db, () => {}),
    );
    const event = { name: 'new_contact', occurredAt: new Date(), ...whose() } as const;
    await expect(transact((tx) => tx.tell(event))).rejects.toThrow('a reaction failed');
    expect(await count()).toBe(0);
  });
});

test('an event cannot be written without what it tells', () => {
  type Common = Pick<DomainEvent, 'accountId' | 'contactId' | 'occurredAt'>;
  expectTypeOf<Common & { name: 'new_contact' }>().toExtend<DomainEvent>();
  expectTypeOf<Common & { name: 'tag_applied' }>().not.toExtend<DomainEvent>();
  expectTypeOf<Common & { name: 'new_message'; tag: { name: string } }>().not.toExtend<DomainEvent>();
  expectTypeOf<Common & { name: 'tag_applied'; tag: { name: string } }>().toExtend<DomainEvent>();
});
