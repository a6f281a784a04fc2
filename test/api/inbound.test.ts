import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { readId, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { deliveriesOf } from '../helpers/items.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { closeConversations } from '../helpers/states/conversations.ts';

type Channel = { id: string; type: string; name: string; created_at: string };
type Received = {
  message: { id: string };
  contact_id: string;
  event_id: string;
  duplicate: boolean;
  skipped_fields: { path: string }[];
};

const api = await useApi();
let account: TestAccount;
let channel: Channel;
beforeEach(async () => {
  account = await api.createAccount();
  channel = await createChannel();
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const createChannel = async (): Promise<Channel> =>
  (await as<Channel>('POST', '/v1/channels', { type: 'api', name: 'Shop' })).body;

const receive = (message: object = anInboundMessage(), to = channel) =>
  as<Received>('POST', `/v1/channels/${to.id}/inbound`, message);

const manyFields = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, n]));

const eventsOfAccount = () => api.db<{ name: string; channel: string; data: unknown; contactId: string }[]>`
  select name, channel, data, contact_id from events where account_id = ${account.accountId} order by id`;

const countRows = async (table: 'contacts' | 'messages' | 'conversations') =>
  (await api.db`select 1 from ${api.db(table)} where account_id = ${account.accountId}`).count;

describe('an inbound message', () => {
  test('of a new sender makes the contact, then the message: new_contact comes before new_message', async () => {
    const sender = {
      external_id: 'u-1',
      first_name: 'Ada',
      email: 'ada@example.com',
      language: 'en',
      time_zone: 'Europe/London',
    };
    const { status, body } = await receive(anInboundMessage({ sender, text: 'Hello' }));
    expect(status).toBe(202);
    expect(body).toEqual({
      message: { id: expect.stringMatching(/^msg_/) },
      contact_id: expect.stringMatching(/^con_/),
      event_id: expect.stringMatching(/^evt_/),
      duplicate: false,
      skipped_fields: [],
    });
    expect((await as('GET', `/v1/contacts/${body.contact_id}`)).body).toMatchObject({
      first_name: 'Ada',
      last_name: null,
      email: 'ada@example.com',
      language: 'en',
      time_zone: 'Europe/London',
      last_channel: 'api',
    });
    const contactId = readId('contact', body.contact_id);
    expect(await eventsOfAccount()).toEqual([
      { name: 'new_contact', channel: 'api', contactId, data: {} },
      {
        name: 'new_message',
        channel: 'api',
        contactId,
        data: {
          message: { id: body.message.id, text: 'Hello', direction: 'inbound', sent_at: expect.stringMatching(/Z$/) },
        },
      },
    ]);
  });

  test('of a known sender goes to its contact and its open conversation, and is one event', async () => {
    const sender = { external_id: 'u-1' };
    const first = await receive(anInboundMessage({ sender }));
    const second = await receive(anInboundMessage({ sender: { ...sender, first_name: 'Not taken over' } }));
    expect(second.body).toMatchObject({ contact_id: first.body.contact_id, duplicate: false });
    expect(second.body.message.id).not.toBe(first.body.message.id);
    expect(await countRows('conversations')).toBe(1);
    expect((await eventsOfAccount()).map(({ name }) => name)).toEqual(['new_contact', 'new_message', 'new_message']);
    expect((await as('GET', `/v1/contacts/${first.body.contact_id}`)).body).toMatchObject({ first_name: null });
  });

  test('opens a conversation when the former one was closed', async () => {
    const sender = { external_id: 'u-1' };
    await receive(anInboundMessage({ sender }));
    await closeConversations(api.deps, account.accountId);
    await receive(anInboundMessage({ sender }));
    const rows = await api.db<{ status: string; messages: bigint }[]>`
      select c.status, count(*) as messages from conversations c join messages m on m.conversation_id = c.id
      where c.account_id = ${account.accountId} group by c.id order by c.id`;
    expect(rows.map(({ status, messages }) => [status, Number(messages)])).toEqual([
      ['closed', 1],
      ['open', 1],
    ]);
  });

  test('that came before is answered with the same ids, and changes and reports nothing, not even a conversation', async () => {
    const message = anInboundMessage();
    const first = await receive(message);
    await closeConversations(api.deps, account.accountId);
    const again = await receive(message);
    const fromSomebodyElse = await receive({ ...message, sender: { external_id: randomUUID() } });
    expect(again).toMatchObject({ status: 202, body: { ...first.body, duplicate: true } });
    expect(fromSomebodyElse.body).toEqual({ ...first.body, duplicate: true });
    expect(await Promise.all([countRows('messages'), countRows('conversations'), countRows('contacts')])).toEqual([
      1, 1, 1,
    ]);
    expect((await eventsOfAccount()).map(({ name }) => name)).toEqual([
      'new_contact',
      'new_message',
      'conversation_closed',
    ]);
  });

  test('with an id that another channel had is a message of its own', async () => {
    const other = await createChannel();
    const message = anInboundMessage();
    const here = await receive(message);
    const there = await receive(message, other);
    expect(there.body.duplicate).toBe(false);
    expect(there.body.message.id).not.toBe(here.body.message.id);
  });

  test('first messages of one new sender, all at the same time, make one contact and one conversation', async () => {
    const sender = { external_id: 'u-1', first_name: 'Ada' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => receive(anInboundMessage({ sender }))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    expect(new Set(answers.map(({ body }) => body.contact_id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(8);
    expect(await Promise.all([countRows('messages'), countRows('conversations'), countRows('contacts')])).toEqual([
      8, 1, 1,
    ]);
    const names = (await eventsOfAccount()).map(({ name }) => name);
    expect(names.filter((name) => name === 'new_contact')).toHaveLength(1);
    expect(names.filter((name) => name === 'new_message')).toHaveLength(8);
  });

  test.for(['a new sender', 'a known sender', 'a known sender without an open conversation'])(
    'sent many times at the same time by %s is one message and one event',
    async (who) => {
      const sender = { external_id: 'u-1' };
      if (who !== 'a new sender') await receive(anInboundMessage({ sender }));
      if (who.endsWith('conversation')) {
        await closeConversations(api.deps, account.accountId);
      }
      const message = anInboundMessage({ sender });
      const answers = await Promise.all(Array.from({ length: 8 }, () => receive(message)));
      expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
      expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
      const reported = (await eventsOfAccount()).filter(
        ({ name, data }) => name === 'new_message' && JSON.stringify(data).includes(answers[0]?.body.message.id ?? '?'),
      );
      expect(reported).toHaveLength(1);
    },
  );

  test('becomes one delivery for each webhook that subscribes to it, dispatched after the commit', async () => {
    const webhookIds = await Promise.all(
      [['new_message'], ['*'], ['order_placed']].map((events) =>
        insertWebhook(api.deps, { accountId: account.accountId, url: 'https://example.com/', events }),
      ),
    );
    const dispatchedBefore = api.dispatched.length;
    const { body } = await receive(anInboundMessage({ text: 'Grüße' }));
    const dispatched = deliveriesOf(api.dispatched.slice(dispatchedBefore)).map(({ eventName, webhookId }) => [
      eventName,
      webhookIds.indexOf(webhookId),
    ]);
    expect(dispatched.toSorted((a, b) => a.join().localeCompare(b.join()))).toEqual([
      ['new_contact', 1],
      ['new_message', 0],
      ['new_message', 1],
    ]);
    const bodies = await api.db<{ body: Buffer }[]>`
      select body from deliveries where account_id = ${account.accountId} and event_name = 'new_message'`;
    for (const row of bodies) {
      expect(JSON.parse(row.body.toString())).toMatchObject({
        event: 'new_message',
        data: {
          contact_id: body.contact_id,
          channel: 'api',
          message: { id: body.message.id, text: 'Grüße', direction: 'inbound' },
        },
      });
    }
    expect(bodies).toHaveLength(2);
  });

  test.for([
    ['without a text', { text: undefined }],
    ['with an empty text', { text: '' }],
    ['with a text of 10,001 characters', { text: 'x'.repeat(10_001) }],
    ['without an id', { message_id: undefined }],
    ['with a number as its id', { message_id: 7 }],
    ['without a sender', { sender: undefined }],
    ['with a sender without an id', { sender: { first_name: 'Ada' } }],
  ] as const)('%s is 422, and makes nothing', async ([, fields]) => {
    const answer = await as('POST', `/v1/channels/${channel.id}/inbound`, { ...anInboundMessage(), ...fields });
    expect(answer.status).toBe(422);
    expect(await Promise.all([countRows('messages'), countRows('contacts')])).toEqual([0, 0]);
    expect(await eventsOfAccount()).toEqual([]);
  });

  describe('whose sender has fields that do not fit', () => {
    const unfit: readonly [string, object, string[]][] = [
      ['an empty name', { first_name: '' }, ['first_name']],
      ['a name of 201 characters', { last_name: 'x'.repeat(201) }, ['last_name']],
      ['a number for a name', { first_name: 7 }, ['first_name']],
      ['an e-mail address without a host', { email: 'ada@' }, ['email']],
      ['a phone number that is none', { phone: 'call me' }, ['phone']],
      ['a language that is none', { language: 'German!' }, ['language']],
      ['an offset for a time zone', { time_zone: 'UTC+2' }, ['time_zone']],
      ['an unknown field', { nickname: 'A' }, ['nickname']],
      ['custom fields that are no object', { custom_fields: ['red'] }, ['custom_fields']],
      ['101 custom fields', { custom_fields: manyFields }, ['custom_fields']],
      ['several of them', { email: '', phone: '12', time_zone: 'Mars/Base' }, ['email', 'phone', 'time_zone']],
    ];

    test.for(unfit)('%s is taken, and says what was skipped', async ([, fields, skipped]) => {
      const sender = { external_id: 'u-1', ...fields };
      const first = await receive(anInboundMessage({ sender }));
      const second = await receive(anInboundMessage({ sender }));
      const inList = await as<{ data: (Received & { status: number })[] }>(
        'POST',
        `/v1/channels/${channel.id}/inbound`,
        [anInboundMessage({ sender })],
      );
      for (const { status, body } of [first, second, { status: 202, body: inList.body.data[0] }]) {
        expect(status).toBe(202);
        expect(body?.skipped_fields.map(({ path }) => path).toSorted()).toEqual(
          skipped.map((name) => `sender.${name}`),
        );
      }
      expect(await countRows('messages')).toBe(3);
    });

    test('gives a new contact the fields that do fit', async () => {
      const sender = { external_id: 'u-1', first_name: ' Ada ', last_name: '', language: 'pt_BR', time_zone: 'UTC+2' };
      const { body } = await receive(anInboundMessage({ sender }));
      const contact = { first_name: 'Ada', last_name: null, language: 'pt-BR', time_zone: null };
      expect((await as('GET', `/v1/contacts/${body.contact_id}`)).body).toMatchObject(contact);
    });
  });

  test.for([
    ['NUL', 'a\0b', 'a\uFFFDb'],
    ['half a surrogate pair', 'a\uD83D', 'a\uFFFD'],
    ['the other half', '\uDE00b', '\uFFFDb'],
    ['a whole pair', '😀', '😀'],
  ] as const)('with %s is taken, with U+FFFD in its place', async ([, text, stored]) => {
    const sender = { external_id: `u-${text}`, first_name: text, custom_fields: { [`a${text}`]: text } };
    const { status, body } = await receive(anInboundMessage({ message_id: `m-${text}`, sender, text }));
    expect(status).toBe(202);
    expect((await as('GET', `/v1/messages/${body.message.id}`)).body).toMatchObject({ text: stored });
    expect((await as('GET', `/v1/contacts/${body.contact_id}`)).body).toMatchObject({ first_name: stored });
    const again = await receive(anInboundMessage({ message_id: `m-${text}`, sender, text }));
    expect(again.body).toMatchObject({ message: body.message, duplicate: true });
    const sent = await as<{ text: string }>('POST', `/v1/contacts/${body.contact_id}/messages`, { text });
    expect([sent.status, sent.body.text]).toEqual([201, stored]);
  });

  test('to a channel that is not there is 404', async () => {
    const path = `/v1/channels/${showId('channel', randomUUID())}/inbound`;
    expect((await as('POST', path, anInboundMessage())).status).toBe(404);
  });
});
