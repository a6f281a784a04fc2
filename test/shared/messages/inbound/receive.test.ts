import { updateHandoverSettings } from '../../../../src/shared/accounts/handover-settings.ts';
import { requestHandover } from '../../../../src/shared/handovers/request.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lockContact } from '../../../../src/shared/contacts/lock-contact.ts';
import { updateContact } from '../../../../src/shared/contacts/queries.ts';
import { receive } from '../../../../src/shared/messages/inbound/receive.ts';
import {
  connectForMessages,
  createInboundStatements,
} from '../../../../src/shared/messages/inbound/share-statements.ts';
import type { Received } from '../../../../src/shared/messages/inbound/message.ts';
import { receiveInTransaction } from '../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { changeFlow, createFlow } from '../../../../src/shared/flows/manage.ts';
import { publishFlow } from '../../../../src/shared/flows/publish.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import type { EventTransaction } from '../../../../src/shared/facts/tell.ts';
import { moveForeground } from '../../../../src/shared/runs/foreground.ts';
import { untilSomebodyWaits } from '../../../helpers/database.ts';
import { aDefinition } from '../../../helpers/definitions.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { deliveriesOf } from '../../../helpers/items.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { closeConversations, setContactStatus } from '../../../helpers/states/conversations.ts';
import { disableWebhook, removeWebhook } from '../../../helpers/states/webhooks.ts';
import { untold } from '../../../helpers/untold.ts';

let world: FlowWorld;
let hooks: string[];
beforeAll(async () => {
  world = await startFlowWorld();
  const url = 'https://receiver.example/hook';
  hooks = [await world.aWebhook({ url }), await world.aWebhook({ url, variant: 'dashboard' })];
  await world.aWebhook({ url, events: ['new_contact'] });
});
afterAll(() => world.stop());

const messageOf = (sender: string, text = 'Hello') => ({
  accountId: world.accountId,
  channelId: world.channelId,
  message: { message_id: newUuid(), sender: { external_id: sender }, text },
});

const atOnce = (incoming = messageOf('ada')) => receive(world, incoming);
const surely = async (received: Promise<Received | undefined>) =>
  (await received) ?? expect.fail('it was not received at once');
/** Two of them, which share their statements. */
const bothTogether = async (sender = 'ada'): Promise<Received[]> => {
  const forMessages = connectForMessages(world.target);
  onTestFinished(() => forMessages.end());
  const inbound = createInboundStatements({ db: world.db, forMessages });
  const both = [messageOf(sender), messageOf(sender)];
  return Promise.all(both.map((incoming) => surely(receive({ ...world, inbound }, incoming))));
};
const inTransaction = (incoming = messageOf('ada')) => world.transact((tx) => receiveInTransaction(tx, incoming));
/** How many messages, events and deliveries there are. */
const countRows = async () =>
  (
    await world.db`select (select count(*) from messages) as messages, (select count(*) from events) as events, (select count(*) from deliveries) as deliveries`
  )[0];

/** All that a message has left behind: its rows, the bytes for receivers and the work asked for, without what is new each time. */
const tracesOf = async ({ messageId, eventId }: Received) => {
  const { db } = world;
  const message = await db`select * from messages where id = ${messageId}`;
  const event = await db`select * from events where id = ${eventId}`;
  const deliveries = await db<{ id: string; body: Buffer }[]>`
    select * from deliveries where event_id = ${eventId} order by webhook_id`;
  const ids = deliveries.map(({ id }) => id);
  // What the insert has read of them is no part of the work.
  const asked = deliveriesOf(world.dispatched)
    .filter(({ id }) => ids.includes(id))
    .map((row) => ({ ...row, firstRead: undefined }));
  const names = new Map([
    [messageId, 'message'],
    [String(eventId), 'event'],
    ...ids.map((id) => [id, 'delivery'] as const),
  ]);
  const told = JSON.stringify({
    message,
    event,
    deliveries: deliveries.map((row) => ({ ...row, body: row.body.toString() })),
    asked,
  });
  return [...names]
    .reduce((all, [id, name]) => all.replaceAll(id, name), told)
    .replaceAll(/(msg|dlv)_[a-z0-9]{26}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, (found) =>
      found.startsWith('2') ? 'time' : found.slice(0, 3),
    )
    .replaceAll(/"(seq|externalId|revision)":"[^"]+"/g, '"$1":"new"');
};

test('a message that is received at once leaves the same rows, bytes and work behind as in a transaction', async () => {
  await inTransaction();
  const traces = await tracesOf(await surely(atOnce()));
  expect(traces.match(/"webhookId"/g)).toHaveLength(2 * hooks.length);
  expect(traces).toEqual(await tracesOf(await inTransaction()));
});

test('messages that share their statements leave the same rows, bytes and work behind as in a transaction', async () => {
  const expected = await tracesOf(await inTransaction());
  const both = await Promise.all((await bothTogether()).map(tracesOf));
  expect(both).toEqual([expected, expected]);
});

test('the same message again is answered as before, and writes nothing', async () => {
  const message = messageOf('ada');
  const first = await atOnce(message);
  const before = await countRows();
  expect(await atOnce(message)).toEqual({ ...first, duplicate: true });
  expect(await countRows()).toEqual(before);
});

test('a channel of another account is not found', async () => {
  await expect(atOnce({ ...messageOf('ada'), channelId: newUuid() })).rejects.toThrow('channel');
});

test.for([
  { what: 'of a new sender', prepare: async () => messageOf('somebody else') },
  { what: 'that is STOP', prepare: async () => messageOf('ada', 'STOP') },
  {
    what: 'without an open conversation',
    prepare: async () => {
      await closeConversations(world, world.accountId);
      return messageOf('ada');
    },
  },
])('a message $what is left to a transaction, with nothing written', async ({ prepare }) => {
  await inTransaction();
  const message = await prepare();
  const before = await countRows();
  expect(await atOnce(message)).toBeUndefined();
  expect(await countRows()).toEqual(before);
});

test('a message beside a webhook that may not be sent to is left to a transaction, which parks under its lock', async () => {
  await inTransaction();
  const paused = await world.aWebhook({ url: 'https://receiver.example/paused' });
  onTestFinished(() => removeWebhook(world.db, paused));
  await disableWebhook(world.db, paused);
  expect(await atOnce()).toBeUndefined();
});

test('the first flow that is published between the two statements is seen: nothing is written, and a transaction routes it', async () => {
  const { db, accountId } = world;
  await inTransaction();
  const definition = aDefinition([{ id: 'done', type: 'end' }], { triggers: [{ type: 'default_reply' }] });
  const { id } = await createFlow(untold(db), accountId, { name: 'Welcome', definition });
  const [published, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => released.resolve());
  const publishing = db.begin(async (sql) => {
    await publishFlow({ ...untold(sql), refuseUrl: () => undefined }, { accountId, id });
    published.resolve();
    await released.promise;
  });
  await Promise.race([published.promise, publishing]);
  const before = await countRows();
  const received = atOnce();
  await untilSomebodyWaits(db);
  released.resolve();
  await publishing;
  expect(await received).toBeUndefined();
  expect(await countRows()).toEqual(before);
  expect((await world.says('ada', 'Hello')).routedTo).toMatchObject({ to: 'flow' });
});

describe('beside live flows', () => {
  let asking: string;
  beforeAll(async () => {
    const { db, accountId } = world;
    const live = await db<{ id: string }[]>`select id from flows where account_id = ${accountId}`;
    for (const { id } of live) await world.transact((tx) => changeFlow(tx, { accountId, id }, 'archive'));
    const ask = { id: 'one', type: 'ask', prompt: 'Which?', expects: 'any', next: { timeout: null } };
    const triggers = [{ type: 'keyword', match: 'exact', words: ['shirt'] }];
    asking = await aFlow(db, accountId, { blocks: [ask], triggers });
  });

  const aContact = async () => {
    const sender = newUuid();
    const { contactId } = await inTransaction(messageOf(sender));
    return { sender, contactId };
  };
  const seqOf = async ({ messageId }: Received) =>
    Number((await world.db<[{ seq: string }]>`select seq from messages where id = ${messageId}`)[0].seq);

  /** A transaction that holds the contact's lock, as all that touches its automation does; it ends when the test lets it. */
  const holdContact = async <Result>(contactId: string, work: (tx: EventTransaction) => Promise<Result>) => {
    const { accountId } = world;
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onTestFinished(() => released.resolve());
    const ended = world.transact(async (tx) => {
      await lockContact(tx.sql, { accountId, contactId });
      held.resolve();
      await released.promise;
      return work(tx);
    });
    await Promise.race([held.promise, ended]);
    return (): typeof ended => {
      released.resolve();
      return ended;
    };
  };

  test('a message that starts nothing leaves the same rows, bytes and work behind as in a transaction', async () => {
    const { sender } = await aContact();
    const traces = await tracesOf(await surely(atOnce(messageOf(sender))));
    expect(traces).toContain('no_trigger');
    expect(traces).toEqual(await tracesOf(await inTransaction(messageOf(sender))));
  });

  test('messages that share their statements and start nothing leave the same rows, bytes and work behind as in a transaction', async () => {
    const { sender } = await aContact();
    const expected = await tracesOf(await inTransaction(messageOf(sender)));
    const both = await Promise.all((await bothTogether(sender)).map(tracesOf));
    expect(both).toEqual([expected, expected]);
  });

  test.for([
    { what: 'that has a keyword', text: ' SHIRT ', prepare: async () => {} },
    {
      what: 'of somebody who has said STOP',
      prepare: (id: string) => setContactStatus(world.db, id, 'unsubscribed'),
    },
    {
      what: 'while automation is silent',
      prepare: (id: string) => {
        const changes = { automation_paused_until: new Date(Date.now() + 3_600_000).toISOString() };
        return world.transact((tx) => updateContact(tx, { accountId: world.accountId, id, changes }));
      },
    },
    {
      what: 'while people have the contact',
      prepare: (contact_id: string) => {
        const asked = { contact_id, reason: 'Help' };
        const { accountId } = world;
        return world.transact((tx) => requestHandover(tx, { accountId, asked, requestedBy: 'api' }));
      },
    },
    {
      what: 'that asks for a person',
      text: ' A Human ',
      prepare: () => updateHandoverSettings(untold(world.db), world.accountId, { words: ['a human'] }),
    },
    {
      what: 'that a run waits for',
      prepare: async (id: string) => world.advance(await world.enrol(id, asking)),
    },
  ])('a message $what is left to a transaction, with nothing written', async ({ text = 'Hello', prepare }) => {
    const { sender, contactId } = await aContact();
    await prepare(contactId);
    const before = await countRows();
    expect(await atOnce(messageOf(sender, text))).toBeUndefined();
    expect(await countRows()).toEqual(before);
  });

  test('a message after a pause that is over is received at once', async () => {
    const { sender, contactId: id } = await aContact();
    const changes = { automation_paused_until: new Date(Date.now() + 200).toISOString() };
    await world.transact((tx) => updateContact(tx, { accountId: world.accountId, id, changes }));
    await expect.poll(() => atOnce(messageOf(sender)), { timeout: 20_000 }).toBeDefined();
  });

  test('the contact is locked: a message gets its place behind what the last holder of the lock has written', async () => {
    const { sender, contactId } = await aContact();
    const release = await holdContact(contactId, () => inTransaction(messageOf(newUuid())));
    const received = atOnce(messageOf(sender));
    await untilSomebodyWaits(world.db);
    const before = await release();
    expect(await seqOf(await surely(received))).toBeGreaterThan(await seqOf(before));
  });

  test('a run that asks while the message waits for the lock gets it: nothing is written, and a transaction routes it', async () => {
    const { sender, contactId } = await aContact();
    const runId = await world.enrol(contactId, asking);
    const release = await holdContact(contactId, (tx) => moveForeground(tx, { contactId, from: null, to: runId }));
    const before = await countRows();
    const received = atOnce(messageOf(sender));
    await untilSomebodyWaits(world.db);
    await release();
    expect(await received).toBeUndefined();
    expect(await countRows()).toEqual(before);
    expect((await world.says(sender, 'Hello')).routedTo).toMatchObject({ to: 'run' });
  });
});
