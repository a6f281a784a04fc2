import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createContact } from '../../../src/shared/contacts/queries.ts';
import { changed } from '../../../src/shared/facts/changed.ts';
import { contactChanged } from '../../../src/shared/facts/contact-changed.ts';
import { newContact } from '../../../src/shared/facts/new-contact.ts';
import type { PrivateFact } from '../../../src/shared/facts/private-facts.ts';
import { type EventTransact, type EventAutocommit, withReactions, withTopics } from '../../../src/shared/facts/tell.ts';
import type { TellTopics } from '../../../src/shared/facts/topics.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { createAutocommit, createTransact } from '../../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../../src/shared/reactions.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';

let world: DeliveryWorld;
let transact: EventTransact;
let autocommit: EventAutocommit;
const told: Record<string, string[]>[] = [];
const facts: PrivateFact[] = [];

beforeAll(async () => {
  world = await startDeliveryWorld();
  const tellTopics: TellTopics = (topics) =>
    told.push(Object.fromEntries([...topics].map(([accountId, its]) => [accountId, [...its].toSorted()])));
  const toPrivateFacts = [async (_: unknown, fact: PrivateFact) => void facts.push(fact)];
  transact = withReactions(
    { ...reactions, toPrivateFacts },
    createTransact(world.db, () => {}),
    tellTopics,
  );
  autocommit = withTopics(
    createAutocommit(world.db, () => {}),
    tellTopics,
  );
});

beforeEach(() => {
  told.splice(0);
  facts.splice(0);
});

afterAll(() => world.stop());

const event = () =>
  ({
    name: 'new_contact',
    accountId: world.accountId,
    contactId: world.contactId,
    occurredAt: new Date(),
  }) as const;

test('the topics of all facts of a transaction are told once, by account, after its commit', async () => {
  const { accountId } = world;
  const other = newUuid();
  await transact(async (tx) => {
    await tx.tell(event());
    await tx.tell(changed(accountId, 'tags', 'contacts'));
    await tx.tell(changed(other, 'flows'));
    await tx.tell(changed(other, 'flows', 'runs'));
    expect(told).toEqual([]);
  });
  expect(told).toEqual([{ [accountId]: [...newContact.topics, 'tags'].toSorted(), [other]: ['flows', 'runs'] }]);
});

test('a transaction that changes nothing of a page, or is rolled back, tells no topics', async () => {
  await transact(async ({ sql }) => sql`select 1`);
  const failing = transact(async (tx) => {
    await tx.tell(changed(world.accountId, 'tags'));
    throw new Error('the domain write failed');
  });
  await expect(failing).rejects.toThrow('the domain write failed');
  expect(told).toEqual([]);
});

test('topics told in a savepoint that is rolled back are dropped', async () => {
  const { accountId } = world;
  await transact(async (tx) => {
    await tx.tell(changed(accountId, 'tags'));
    const undone = tx.savepoint(async (inner) => {
      await inner.tell(changed(accountId, 'flows'));
      await inner.sql`select 1 / 0`;
    });
    await expect(undone).rejects.toThrow('division by zero');
    await tx.savepoint((inner) => inner.tell(changed(accountId, 'runs')));
  });
  expect(told).toEqual([{ [accountId]: ['runs', 'tags'] }]);
});

test('the topics of a transaction that PostgreSQL gives up are told when it is run again, once', async () => {
  const { accountId } = world;
  let tries = 0;
  await transact(async (tx) => {
    tries += 1;
    await tx.tell(changed(accountId, tries === 1 ? 'flows' : 'tags'));
    if (tries === 1) await tx.sql`do $$ begin raise exception using errcode = '40P01'; end $$`;
  });
  expect([tries, told]).toEqual([2, [{ [accountId]: ['tags'] }]]);
});

test('a statement that commits by itself tells its topics when it has, and none when it fails', async () => {
  const { accountId } = world;
  await autocommit(async ({ sql, tell }) => {
    tell(changed(accountId, 'sessions'));
    await sql`select 1`;
    expect(told).toEqual([]);
  });
  const failing = autocommit(async ({ sql, tell }) => {
    tell(changed(accountId, 'api-keys'));
    await sql`select 1 / 0`;
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(told).toEqual([{ [accountId]: ['sessions'] }]);
});

test('a private fact is followed at once, and neither recorded nor delivered', async () => {
  await world.aWebhook({ url: 'https://receiver.example/hook' });
  const { accountId } = world;
  const { id: contactId } = await world.transact((tx) => createContact(tx, accountId, {}));
  const count = async () => [
    (await world.db`select from events`).count,
    (await world.db`select from deliveries`).count,
  ];
  const before = await count();
  const fact = contactChanged({ accountId, contactId, fields: ['time_zone'] });
  await transact(async (tx) => {
    await tx.tell(fact);
    expect(facts).toEqual([fact]);
  });
  expect(await count()).toEqual(before);
});
