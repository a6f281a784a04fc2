import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readId, showId } from '../../../src/shared/ids.ts';
import { beginVisitor } from '../../../src/shared/messages/webchat/visitors.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { untilSomebodyWaits } from '../../helpers/database.ts';
import { ageVisitors } from '../../helpers/states/channels.ts';
import { aChat, aVisitor, site, type TestWebchat } from '../../helpers/webchat/visitor.ts';

const api = await useApi();
let account: TestAccount;
let channel: TestWebchat;
beforeEach(async () => {
  ({ account, channel } = await aChat(api));
});

const as = <Body>(method: string, path: string, body?: unknown) =>
  api.request<Body>(method, `/v1${path}`, { key: account.apiKey, body });
const contacts = () => api.db<{ id: string }[]>`select id from contacts where account_id = ${account.accountId}`;
const reply = async (text: string, more: object = {}) => {
  const [contact] = await contacts();
  return as<{ id: string }>('POST', `/contacts/${showId('contact', contact?.id ?? '')}/messages`, { text, ...more });
};

describe('a visitor of a webchat', () => {
  test('reads the config without a token, and becomes no contact by it', async () => {
    const answer = await aVisitor(api, channel).ask('GET', '/config');
    expect(answer).toMatchObject({
      status: 200,
      body: { title: 'Shop', greeting: null, color: '#0b7285', position: 'right', texts: {}, require_identity: false },
    });
    expect(answer.body).toMatchObject({ limits: { text: 10_000 } });
    expect(answer.text).not.toContain(site);
    expect(await contacts()).toHaveLength(0);
  });

  test('becomes a contact with the first message, and reads both sides of the talk by the token of its answer', async () => {
    const visitor = aVisitor(api, channel);
    const client_id = randomUUID();
    const { status, body } = await visitor.say('Hello', { client_id });
    expect(status).toBe(201);
    expect(body).toEqual({
      visitor_token: expect.stringMatching(/^[\w-]{43}$/),
      message: expect.objectContaining({ client_id, text: 'Hello', direction: 'visitor', author: null }),
      revision: expect.any(Number),
    });
    expect(await contacts()).toHaveLength(1);
    const sent = await reply('Which size?', { quick_replies: ['S', 'M'], image_url: 'https://shop.example/a.png' });
    const thread = await visitor.read();
    expect(thread).toMatchObject({
      conversation: { id: expect.stringMatching(/^cnv_/), status: 'open', agent: null },
      messages: [
        { client_id, text: 'Hello' },
        {
          id: sent.body.id,
          client_id: null,
          direction: 'business',
          author: 'agent',
          text: 'Which size?',
          quick_replies: ['S', 'M'],
          image_url: 'https://shop.example/a.png',
          attachments: [],
          read_at: null,
        },
      ],
      typing: { bot: false, agent: false },
      has_more: false,
    });
    expect((await visitor.say('M')).body.visitor_token).toBeUndefined();
    const news = await visitor.read(`?after=${thread.revision}&conversation=${thread.conversation?.id}`);
    expect(news.messages.map(({ text }) => text)).toEqual(['M']);
  });

  test('sends a message again harmlessly: it is answered with the one that is there', async () => {
    const visitor = aVisitor(api, channel);
    const first = await visitor.say('Hello');
    const more = { client_id: randomUUID() };
    const [once, again] = [await visitor.say('Anybody there?', more), await visitor.say('Anybody there?', more)];
    expect([once.status, again.status]).toEqual([201, 200]);
    expect(again.body.message).toEqual(once.body.message);
    expect((await visitor.read()).messages.map(({ id }) => id)).toEqual([first.body.message.id, once.body.message.id]);
  });

  test('whose first answer was lost sends it again, and stays one contact with one message', async () => {
    const more = { client_id: randomUUID() };
    await aVisitor(api, channel).say('Hello', more);
    const visitor = aVisitor(api, channel);
    const again = await visitor.say('Hello', more);
    expect(again.status).toBe(200);
    expect(again.body.visitor_token).toMatch(/^[\w-]{43}$/);
    expect((await visitor.read()).messages).toHaveLength(1);
    expect(await contacts()).toHaveLength(1);
  });

  test('whose first message is sent again while it is under way stays one contact with one message', async () => {
    const more = { client_id: randomUUID() };
    const first = { accountId: account.accountId, channelId: readId('channel', channel.id), firstRef: more.client_id };
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onTestFinished(() => released.resolve());
    const underWay = api.db.begin(async (sql) => {
      const made = await beginVisitor(sql, first);
      begun.resolve();
      await released.promise;
      return made;
    });
    await begun.promise;
    const visitor = aVisitor(api, channel);
    const again = visitor.say('Hello', more);
    await untilSomebodyWaits(api.db);
    released.resolve();
    expect(await underWay).toMatchObject({ token: expect.any(String) });
    expect((await again).body.visitor_token).toMatch(/^[\w-]{43}$/);
    expect((await visitor.read()).messages.map(({ text }) => text)).toEqual(['Hello']);
    expect(await contacts()).toHaveLength(1);
  });

  test.for([
    { days: 6, status: 200, count: 1 },
    { days: 8, status: 409, count: 0 },
  ])(
    'who sends the first message again after $days days, unanswered, gets $status',
    async ({ days, status, count }) => {
      const more = { client_id: randomUUID() };
      await aVisitor(api, channel).say('Hello', more);
      await ageVisitors(api.db, readId('channel', channel.id), days);
      const visitor = aVisitor(api, channel);
      expect((await visitor.say('Hello', more)).status).toBe(status);
      expect(visitor.token === undefined ? [] : (await visitor.read()).messages).toHaveLength(count);
    },
  );

  test('gets no token of another by the name of the first message, once that one has used a token', async () => {
    const more = { client_id: randomUUID() };
    const first = aVisitor(api, channel);
    await first.say('My secret', more);
    await first.read();
    const second = await aVisitor(api, channel).say('My secret', more);
    expect(second.status).toBe(409);
    expect(second.text).not.toContain('visitor_token');
  });

  test('has names of messages of its own: those of another visitor are free', async () => {
    const [one, other] = [aVisitor(api, channel), aVisitor(api, channel)];
    await one.say('I am one');
    await other.say('I am other');
    const more = { client_id: randomUUID() };
    expect((await one.say('from one', more)).status).toBe(201);
    expect((await other.say('from other', more)).status).toBe(201);
    expect((await other.read()).messages.map(({ text }) => text)).toEqual(['I am other', 'from other']);
  });

  test('keeps what was said before: a closed conversation stays readable, and the next message opens another', async () => {
    const visitor = aVisitor(api, channel);
    await visitor.say('First talk');
    const before = await visitor.read();
    await as('POST', `/conversations/${before.conversation?.id}/close`);
    expect(await visitor.read()).toMatchObject({
      conversation: { status: 'closed' },
      messages: [{ text: 'First talk' }],
    });
    await visitor.say('Second talk');
    const after = await visitor.read(`?after=${before.revision}&conversation=${before.conversation?.id}`);
    expect(after.conversation?.id).not.toBe(before.conversation?.id);
    expect(after.messages.map(({ text }) => text)).toEqual(['First talk', 'Second talk']);
  });

  test('reads the name of the agent who has the conversation, and of who wrote each message', async () => {
    const visitor = aVisitor(api, channel);
    await visitor.say('Hello');
    await api.request('PATCH', '/dashboard/api/profile', { session: account.session, body: { name: 'Grace' } });
    const { conversation } = await visitor.read();
    await api.request('POST', `/dashboard/api/conversations/${conversation?.id}/messages`, {
      session: account.session,
      body: { text: 'I look after it', client_ref: randomUUID() },
    });
    expect(await visitor.read()).toMatchObject({
      conversation: { agent: { name: 'Grace' } },
      messages: [
        { author: null, author_name: null },
        { author: 'agent', author_name: 'Grace' },
      ],
    });
  });

  test('pages back through a long talk, and reads on through many changes, with nothing missing and nothing double', async () => {
    const visitor = aVisitor(api, channel);
    await visitor.say('0');
    const start = await visitor.read();
    for (let nth = 1; nth < 120; nth += 1) await reply(String(nth));
    const pages = [await visitor.read()];
    while (pages.at(-1)?.has_more) pages.push(await visitor.read(`?before=${pages.at(-1)?.messages[0]?.id}`));
    const all = Array.from({ length: 120 }, (_, nth) => String(nth));
    expect(pages.toReversed().flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual(all);
    const changes = [start];
    do changes.push(await visitor.read(`?after=${changes.at(-1)?.revision}&conversation=${start.conversation?.id}`));
    while (changes.at(-1)?.has_more);
    expect(changes.flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual(all);
  });

  test('pages back through many short talks, the first of which was opened again', async () => {
    const visitor = aVisitor(api, channel);
    await visitor.say('0');
    const first = (await visitor.read()).conversation?.id;
    for (let nth = 1; nth < 60; nth += 1) {
      await as('POST', `/conversations/${(await visitor.read()).conversation?.id}/close`);
      await reply(String(nth));
    }
    await as('POST', `/conversations/${(await visitor.read()).conversation?.id}/close`);
    await as('POST', `/conversations/${first}/reopen`);
    await reply('60');
    const pages = [await visitor.read()];
    while (pages.at(-1)?.has_more) pages.push(await visitor.read(`?before=${pages.at(-1)?.messages[0]?.id}`));
    const all = Array.from({ length: 61 }, (_, nth) => String(nth));
    expect(pages.toReversed().flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual(all);
  });

  test('marks messages as read up to a revision, which the API then tells', async () => {
    const visitor = aVisitor(api, channel);
    await visitor.say('Hello');
    const first = (await reply('one')).body;
    const { revision } = await visitor.read();
    const second = (await reply('two')).body;
    expect((await visitor.ask('POST', '/read', { body: { revision } })).status).toBe(204);
    expect((await as('GET', `/messages/${first.id}`)).body).toMatchObject({ read_at: expect.any(String) });
    expect((await as('GET', `/messages/${second.id}`)).body).toMatchObject({ read_at: null });
    const news = await visitor.read(`?after=${revision}`);
    expect(news.messages.map(({ text }) => text)).toEqual(['two', 'one']);
    const at = news.revision;
    await visitor.ask('POST', '/read', { body: { revision } });
    expect((await visitor.read()).revision).toBe(at);
  });

  test('who has the revision of another time gets the latest messages', async () => {
    const visitor = aVisitor(api, channel);
    await visitor.say('Hello');
    for (const query of ['?after=999', '?after=1&conversation=cnv_nonsense', ''])
      expect((await visitor.read(query)).messages.map(({ text }) => text)).toEqual(['Hello']);
  });

  test('brings language and time zone of the browser to a new contact, and no address that could run a script', async () => {
    const context = {
      url: 'https://shop.example/shoes?size=4',
      referrer: 'javascript:alert(1)',
      title: '<img src=x onerror=alert(1)>',
      language: 'de',
      time_zone: 'Europe/Berlin',
      unheard_of: 7,
    };
    expect((await aVisitor(api, channel).say('Hello', { context })).status).toBe(201);
    const [contact] = await contacts();
    expect((await as('GET', `/contacts/${showId('contact', contact?.id ?? '')}`)).body).toMatchObject({
      first_name: null,
      language: 'de',
      time_zone: 'Europe/Berlin',
    });
    const [visitor] = await api.db`select page from webchat_visitors where account_id = ${account.accountId}`;
    expect(visitor?.['page']).toEqual({ url: context.url, title: context.title });
  });

  test('sends the events of any channel: new_contact and new_message with the type webchat', async () => {
    await aVisitor(api, channel).say('Hello');
    const events = await api.db`select name, channel from events where account_id = ${account.accountId} order by id`;
    expect(events).toEqual([
      { name: 'new_contact', channel: 'webchat' },
      { name: 'new_message', channel: 'webchat' },
    ]);
  });
});
