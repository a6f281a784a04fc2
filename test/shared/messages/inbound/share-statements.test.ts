import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { updateHandoverSettings } from '../../../../src/shared/accounts/handover-settings.ts';
import { insertChannel } from '../../../../src/shared/messages/channels/queries.ts';
import { receive as receiveBy } from '../../../../src/shared/messages/inbound/receive.ts';
import type { Incoming, Received } from '../../../../src/shared/messages/inbound/message.ts';
import { receiveInTransaction } from '../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import {
  connectForMessages,
  createInboundStatements,
  patience,
  type InboundStatements,
} from '../../../../src/shared/messages/inbound/share-statements.ts';
import { createFlow } from '../../../../src/shared/flows/manage.ts';
import { publishFlow } from '../../../../src/shared/flows/publish.ts';
import type { EventTransaction } from '../../../../src/shared/facts/tell.ts';
import { requestHandover } from '../../../../src/shared/handovers/request.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import type { Database } from '../../../../src/shared/platform/db/connect.ts';
import { anAccount, insertWebhook } from '../../../helpers/accounts.ts';
import { connectOverheard, untilSomebodyWaits } from '../../../helpers/database.ts';
import { aDefinition } from '../../../helpers/definitions.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { deliveriesOf } from '../../../helpers/items.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { untold } from '../../../helpers/untold.ts';

let world: FlowWorld;
let forMessages: Database;
let inbound: InboundStatements;
let neighbour: Shop;
beforeAll(async () => {
  world = await startFlowWorld();
  forMessages = connectForMessages(world.target);
  neighbour = await aShop();
});
beforeEach(() => {
  inbound = createInboundStatements({ db: world.db, forMessages });
});
afterAll(async () => {
  await forMessages.end();
  await world.stop();
});

/** An account with a webhook, and somebody who has written to it before. */
type Shop = { accountId: string; channelId: string; contactId: string };

const aShop = async (): Promise<Shop> => {
  const { accountId } = await anAccount(world);
  await insertWebhook(world, { accountId, url: 'https://receiver.example/hook' });
  const { id: channelId } = await insertChannel(world.db, accountId, { type: 'api', name: 'Shop' });
  const { contactId } = await world.transact((tx) => receiveInTransaction(tx, from({ accountId, channelId })));
  return { accountId, channelId, contactId };
};

const from = (
  { accountId, channelId }: Omit<Shop, 'contactId'>,
  { text = 'Hello', messageId = newUuid(), sender = 'ada' } = {},
): Incoming => ({ accountId, channelId, message: { message_id: messageId, sender: { external_id: sender }, text } });

const receive = (incoming: Incoming, by = inbound) => receiveBy({ ...world, inbound: by }, incoming);
const surely = async (received: Promise<Received | undefined>) =>
  (await received) ?? expect.fail('it was not received at once');
const messagesOf = async ({ accountId }: Pick<Shop, 'accountId'>) =>
  (await world.db`select from messages where account_id = ${accountId}`).count;

/** The same on a connection of which each statement is overheard. */
const overheard = async () => {
  const statements: string[] = [];
  const connection = connectOverheard(world.target, (statement) => statements.push(statement.trim()));
  onTestFinished(() => connection.end());
  const [{ pid }] = await connection<[{ pid: number }]>`
    select pg_backend_pid() as pid, set_config('lock_timeout', ${String(patience.lock_timeout)}, false)`;
  statements.length = 0;
  return { statements, pid, by: createInboundStatements({ db: world.db, forMessages: connection }) };
};

test('messages of several accounts that come at the same time are two statements, and each has its event and its deliveries', async () => {
  const shops = [neighbour, await aShop(), await aShop()];
  const { statements, by } = await overheard();
  const all = [...shops, ...shops, ...shops].map((shop) => from(shop));
  const received = await Promise.all(all.map((incoming) => surely(receive(incoming, by))));
  expect(statements.filter((statement) => statement.startsWith('with'))).toHaveLength(2);
  const ids = received.map(({ messageId }) => messageId);
  const rows = await world.db<{ externalId: string; seq: string; deliveryId: string; owners: string[] }[]>`
    select m.external_id, m.seq, d.id as delivery_id, array[m.account_id, e.account_id, d.account_id, w.account_id] as owners
    from messages m join events e on e.id = m.event_id join deliveries d on d.event_id = e.id join webhooks w on w.id = d.webhook_id
    where m.id = any(${ids}::uuid[]) order by m.seq`;
  // In the order in which they came, whatever their ids are.
  const arrived = all.map(({ accountId, message }) => [
    message.message_id,
    ...Array.from({ length: 4 }, () => accountId),
  ]);
  expect(rows.map(({ externalId, owners }) => [externalId, ...owners])).toEqual(arrived);
  expect(new Set(rows.map(({ seq }) => seq)).size).toBe(all.length);
  const asked = deliveriesOf(world.dispatched.slice(-all.length)).map(({ id }) => id);
  expect(new Set(rows.map(({ deliveryId }) => deliveryId))).toEqual(new Set(asked));
});

test('each message has its own outcome, whatever the others have', async () => {
  const before = from(neighbour);
  const first = await surely(receive(before));
  const twin = from(neighbour);
  const outcomes = await Promise.allSettled([
    receive(before),
    receive(twin),
    receive(twin),
    receive({ ...from(neighbour), channelId: newUuid() }),
    receive(from(neighbour, { sender: 'somebody new' })),
    receive(from(neighbour, { text: 'STOP' })),
    receive(from(neighbour)),
  ]);
  const told = outcomes.map((outcome) =>
    outcome.status === 'rejected' ? outcome.reason : outcome.value && { duplicate: outcome.value.duplicate },
  );
  expect(outcomes[0]).toMatchObject({ value: { ...first, duplicate: true } });
  // The second of the twins is left to a transaction, which knows it.
  expect(told.slice(1, 3)).toEqual(expect.arrayContaining([{ duplicate: false }, undefined]));
  expect(told[3]).toMatchObject({ message: expect.stringContaining('channel') });
  expect(told.slice(4)).toEqual([undefined, undefined, { duplicate: false }]);
});

test('a message that asks for a person, and one of a contact that people have, are left to a transaction; the others are not', async () => {
  const [asking, quiet, taken] = [await aShop(), await aShop(), await aShop()];
  await updateHandoverSettings(untold(world.db), asking.accountId, { words: ['a human'] });
  await aFlow(world.db, taken.accountId, { blocks: [{ id: 'done', type: 'end' }], triggers: [] });
  const asked = { contact_id: taken.contactId, reason: 'Help' };
  await world.transact((tx) => requestHandover(tx, { accountId: taken.accountId, asked, requestedBy: 'api' }));
  const before = await messagesOf(asking);
  const received = await Promise.all([
    receive(from(asking, { text: ' A Human ' })),
    receive(from(asking, { text: 'Hello' })),
    receive(from(quiet, { text: 'a human' })),
    receive(from(taken)),
    receive(from(neighbour)),
  ]);
  expect(received.map((one) => one?.duplicate)).toEqual([undefined, false, false, undefined, false]);
  expect(await messagesOf(asking)).toBe(before + 1);
});

test.for(['in what it is looked up by', 'in what is written of it'])(
  'a message with bytes that PostgreSQL refuses %s spoils no other',
  async (where) => {
    const bad =
      where === 'in what it is looked up by' ? from(neighbour, { sender: '\0' }) : from(neighbour, { text: '\0' });
    const [refused, ...others] = await Promise.allSettled(
      [bad, from(neighbour), from(neighbour)].map((m) => receive(m)),
    );
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
    expect(others).toMatchObject([0, 1].map(() => ({ value: { duplicate: false } })));
  },
);

/** Runs `lock` in a transaction that lasts until the test lets it end. */
const hold = async (lock: (tx: EventTransaction) => Promise<unknown>) => {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => released.resolve());
  const ended = world.transact(async (tx) => {
    await lock(tx);
    held.resolve();
    await released.promise;
  });
  await Promise.race([held.promise, ended]);
  return async (): Promise<void> => {
    released.resolve();
    await ended;
  };
};

type Lock = (tx: EventTransaction, shop: Shop, incoming: Incoming) => Promise<unknown>;

const account: Lock = ({ sql }, { accountId }) => sql`select from accounts where id = ${accountId} for update`;
const channel: Lock = ({ sql }, { channelId }) => sql`select from channels where id = ${channelId} for update`;
const contact: Lock = ({ sql }, { contactId }) => sql`select from contacts where id = ${contactId} for update`;
const conversation: Lock = ({ sql }, { contactId }) => sql`
  select from conversations where contact_id = ${contactId} for update`;
const sameMessage: Lock = (tx, _, incoming) => receiveInTransaction(tx, incoming);

/** Which messages of these went alone. */
const whoGoesAlone = () => {
  const alone: Incoming[] = [];
  const by: InboundStatements = {
    ...inbound,
    write: (message, goAlone) =>
      inbound.write(message, () => {
        alone.push(message.incoming);
        return goAlone();
      }),
  };
  return { alone, by };
};

describe.for([{ besideFlows: false }, { besideFlows: true }])('with live flows: $besideFlows', ({ besideFlows }) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await aShop();
    if (!besideFlows) return;
    const triggers = [{ type: 'keyword', match: 'exact', words: ['shirt'] }];
    await aFlow(world.db, shop.accountId, { blocks: [{ id: 'done', type: 'end' }], triggers });
  });

  test.for([
    { what: 'its conversation', lock: conversation, isSeen: true },
    // What a foreign key refers to is seen only by waiting for it.
    { what: 'its account', lock: account, isSeen: !besideFlows },
    { what: 'its contact', lock: contact, isSeen: besideFlows },
    { what: 'its channel', lock: channel, isSeen: false },
    { what: 'the same message', lock: sameMessage, isSeen: true, isDuplicate: true },
  ])('who holds $what holds up that message, and no other account', async ({ lock, isSeen, isDuplicate = false }) => {
    const incoming = from(shop);
    const others = [from(neighbour), from(neighbour)];
    const release = await hold((tx) => lock(tx, shop, incoming));
    const { alone, by } = whoGoesAlone();
    const locked = receive(incoming, by);
    const received = await Promise.all(others.map((other) => surely(receive(other, by))));
    expect(received).toMatchObject(others.map(() => ({ duplicate: false })));
    expect(alone.some((one) => one !== incoming) && isSeen).toBe(false);
    await untilSomebodyWaits(world.db);
    const later = from(neighbour);
    expect(await receive(later, by)).toMatchObject({ duplicate: false });
    expect(alone).not.toContain(later);
    await release();
    // What is a duplicate now is left to a transaction.
    expect(Boolean(await locked)).toBe(!isDuplicate);
  });
});

test('the first publish of an account holds up its message, which a transaction routes then, and no other account', async () => {
  const shop = await aShop();
  const definition = aDefinition([{ id: 'done', type: 'end' }], { triggers: [{ type: 'default_reply' }] });
  const { id } = await createFlow(untold(world.db), shop.accountId, { name: 'Welcome', definition });
  const { accountId } = shop;
  const release = await hold(({ sql, tell }) =>
    publishFlow({ sql, tell, refuseUrl: () => undefined }, { accountId, id }),
  );
  const before = await messagesOf(shop);
  const [received, other] = [from(shop), from(neighbour)].map((message) => receive(message));
  expect(await other).toMatchObject({ duplicate: false });
  await untilSomebodyWaits(world.db);
  await release();
  expect(await received).toBeUndefined();
  expect(await messagesOf(shop)).toBe(before);
});

test('while a message waits, whatever else its account sends goes alone, so that no shared statement waits again', async () => {
  const shop = await aShop();
  await world.transact((tx) => receiveInTransaction(tx, from(shop, { sender: 'another' })));
  const { statements, pid, by } = await overheard();
  const incoming = from(shop);
  const release = await hold((tx) => sameMessage(tx, shop, incoming));
  const waiting = receive(incoming, by);
  const givenUp = () => world.db`select from pg_stat_activity where pid = ${pid} and state = 'idle'`;
  await expect.poll(async () => statements.length === 2 && (await givenUp()).count, { timeout: 60_000 }).toBe(1);
  statements.length = 0;
  const again = receive(incoming, by);
  const next = receive(from(shop, { sender: 'another' }), by);
  expect(await next).toMatchObject({ duplicate: false });
  expect(statements.filter((statement) => statement.includes('insert into messages'))).toEqual([]);
  await release();
  expect(await Promise.all([waiting, again])).toEqual([undefined, undefined]);
});

test('a message to many webhooks goes alone: others do not wait for the deliveries of one account', async () => {
  const shop = await aShop();
  for (let more = 0; more < 5; more += 1) {
    await insertWebhook(world, { accountId: shop.accountId, url: `https://receiver.example/${more}` });
  }
  const { alone, by } = whoGoesAlone();
  const incoming = from(shop);
  const received = await Promise.all([incoming, from(neighbour)].map((message) => surely(receive(message, by))));
  expect(received).toHaveLength(2);
  expect(alone).toEqual([incoming]);
});

test('messages whose shared connection is lost are received all the same', async () => {
  const lost = connectForMessages(world.target);
  await lost.end();
  const by = createInboundStatements({ db: world.db, forMessages: lost });
  const received = await Promise.all([from(neighbour), from(neighbour)].map((message) => receive(message, by)));
  expect(received).toMatchObject([0, 1].map(() => ({ duplicate: false })));
});

test('the same messages in other orders, in many statements of two processes at once, are each written once', async () => {
  const shops = [neighbour, await aShop()];
  const other = connectForMessages(world.target);
  onTestFinished(() => other.end());
  const all = Array.from({ length: 60 }, (_, n) => from(shops[n % 2] ?? neighbour));
  const [one, two] = [inbound, createInboundStatements({ db: world.db, forMessages: other })];
  const orders = [all, all.toReversed(), all.toSorted(() => Math.random() - 0.5)];
  const received = await Promise.all(
    orders.flatMap((order) => order.flatMap((incoming) => [receive(incoming, one), receive(incoming, two)])),
  );
  expect(received.filter((one) => one && !one.duplicate)).toHaveLength(all.length);
  const ids = all.map(({ message }) => message.message_id);
  const rows = await world.db`select from messages where external_id = any(${ids})`;
  expect(rows.count).toBe(all.length);
});
