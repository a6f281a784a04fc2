import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readId, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { edit, write, type Bot } from '../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../helpers/telegram/kinds.ts';
import { startTelegram } from '../helpers/telegram/service.ts';
import { handIn, handInAll } from '../helpers/telegram/webhooks.ts';

type Channel = { id: string; type: string; name: string; bot_username: string; bot_name: string };
type Refused = { error: { code: string; message: string; details?: unknown[]; conflict_with?: { id: string } } };

const telegram = await startTelegram();
afterAll(() => telegram.close());
// No EGRESS_ALLOW: where the Bot API is, the operator says.
const api = await useApi({ channelKinds: kindsWithTelegram(telegram), egressAllow: '' });
let account: TestAccount;
let bot: Bot;
beforeEach(async () => {
  account = await api.createAccount();
  bot = telegram.addBot();
  telegram.failBy(() => undefined);
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });
const create = <Body = Channel>(token = bot.token, key?: string) =>
  as<Body>('POST', '/v1/channels', { type: 'telegram', name: 'Bot', bot_token: token }, key);
const createWith = (key: string) =>
  api.request<Channel>('POST', '/v1/channels', {
    key: account.apiKey,
    headers: { 'idempotency-key': key },
    body: { type: 'telegram', name: 'Bot', bot_token: bot.token },
  });
const rows = () => api.db`select id from channels where account_id = ${account.accountId}`;
const methodsOf = ({ id }: Bot) =>
  telegram.calls().flatMap(({ bot: called, method }) => (called.id === id ? [method] : []));

describe('a channel of type telegram', () => {
  test('is connected by its token, shows the bot, and never tells the token', async () => {
    const { status, body, text } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^chn_/),
      type: 'telegram',
      name: 'Bot',
      bot_username: bot.username,
      bot_name: `Bot ${bot.id}`,
      created_at: expect.any(String),
    });
    expect(bot.webhook?.url).toBe(`${api.url}/telegram/${body.id}`);
    expect((await as('GET', `/v1/channels/${body.id}`)).body).toEqual(body);
    const [row] = await api.db`select * from channels where id = ${readId('channel', body.id)}`;
    const secret = bot.token.split(':')[1] ?? '';
    expect(`${text}${JSON.stringify(row)}${api.logged.join('')}`).not.toContain(secret);
  });

  test.for([
    ['no token at all', undefined],
    ['what is no token', 'hello'],
    ['a token that Telegram refuses', `999:${'x'.repeat(35)}`],
  ] as const)('with %s is refused in words with 422, and nothing is written', async ([, bot_token]) => {
    const body = { type: 'telegram', name: 'Bot', bot_token };
    const answer = await as<Refused>('POST', '/v1/channels', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details).toMatchObject([{ path: 'bot_token', message: expect.any(String) }]);
    expect(await rows()).toHaveLength(0);
  });

  test('is refused with 503 while Telegram does not answer or asks to wait, and nothing is written', async () => {
    telegram.failBy(() => ({ type: 'lost' }));
    expect((await create<Refused>()).status).toBe(503);
    telegram.failBy(({ method }) =>
      method === 'setWebhook' ? { type: 'refused', status: 429, retryAfter: 3 } : undefined,
    );
    expect((await create<Refused>()).status).toBe(503);
    expect(await rows()).toHaveLength(0);
  });

  test('is refused with 409 while the bot has a channel, which only its own account learns', async () => {
    const { body: first } = await create();
    const again = await create<Refused>();
    expect(again).toMatchObject({ status: 409, body: { error: { conflict_with: { id: first.id } } } });
    const stranger = await api.createAccount();
    const theirs = await create<Refused>(bot.token, stranger.apiKey);
    expect(theirs.status).toBe(409);
    expect(theirs.text).not.toContain(first.id);
    expect(methodsOf(bot).filter((method) => method === 'setWebhook')).toHaveLength(1);
  });

  test('is created once by a request that comes again with its key before the first is answered', async () => {
    const answers = await Promise.all([createWith('one'), createWith('one')]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
    expect((await createWith('other')).status).toBe(409);
  });

  test('is answered and connected where its creation broke off, to the same request alone', async () => {
    telegram.failBy(({ method }) =>
      method === 'setWebhook'
        ? { type: 'after', wait: async () => void (await api.db`alter table idempotency_keys rename to keys_away`) }
        : undefined,
    );
    expect((await createWith('one')).status).toBe(500);
    await api.db`alter table keys_away rename to idempotency_keys`;
    telegram.failBy(() => undefined);
    const [row] = await rows();
    bot.webhook = undefined;
    expect((await createWith('other')).status).toBe(409);
    const again = await createWith('one');
    expect(again).toMatchObject({ status: 201, body: { id: showId('channel', String(row?.['id'])) } });
    expect(bot.webhook).toMatchObject({ url: `${api.url}/telegram/${again.body.id}` });
    expect((await createWith('one')).body).toEqual(again.body);
    expect(await rows()).toHaveLength(1);
  });

  test('keeps its conversations when the token of its bot is renewed, and takes no token of another bot', async () => {
    const { body: channel } = await create();
    write(bot, 17, 'before');
    await handInAll(bot);
    const token = telegram.renewToken(bot);
    const other = await as<Refused>('PATCH', `/v1/channels/${channel.id}`, { bot_token: telegram.addBot().token });
    expect(other.status).toBe(422);
    expect(other.body.error.details).toMatchObject([{ path: 'bot_token', message: /another bot/ }]);
    const { status, body } = await as<Channel>('PATCH', `/v1/channels/${channel.id}`, { bot_token: token });
    expect(status).toBe(200);
    expect(body).toEqual(channel);
    write(bot, 17, 'after');
    await handInAll(bot);
    const conversations = await api.db`select id from conversations where account_id = ${account.accountId}`;
    expect(conversations).toHaveLength(1);
    expect(await textsOf()).toEqual(['before', 'after']);
  });

  test('has its webhook deleted with it', async () => {
    const { body } = await create();
    expect((await as('DELETE', `/v1/channels/${body.id}`)).status).toBe(204);
    expect(bot.webhook).toBeUndefined();
  });
});

type Message = { id: string; text: string; edited_at: string | null; revision: number };
const messages = async () => {
  const [contact] = await api.db<{ contactId: string }[]>`
    select contact_id from messages where account_id = ${account.accountId}`;
  const path = `/v1/contacts/${showId('contact', contact?.contactId ?? '')}/messages`;
  return (await as<{ data: Message[] }>('GET', path)).body.data;
};

const textsOf = async () =>
  (
    await api.db<{ text: string }[]>`
      select text from messages where account_id = ${account.accountId} order by seq`
  ).map(({ text }) => text);

describe('what Telegram hands in', () => {
  beforeEach(async () => {
    await create();
  });

  test('is taken once, in its order, however often it comes, with its sender', async () => {
    const updates = ['one', 'two', 'three'].map((text) => write(bot, 21, text));
    for (const update of [...updates, ...updates]) expect(await handIn(bot, update)).toBe(204);
    expect(await textsOf()).toEqual(['one', 'two', 'three']);
    const [contact] = await api.db`select first_name, language from contacts where account_id = ${account.accountId}`;
    expect(contact).toMatchObject({ firstName: 'User 21', language: 'en' });
  });

  test('is taken although ids of updates begin anew, also at ids that were there before', async () => {
    write(bot, 21, 'before');
    await handInAll(bot);
    bot.nextUpdateId = 1_000;
    write(bot, 21, 'after');
    await handInAll(bot);
    expect(await textsOf()).toEqual(['before', 'after']);
  });

  test.for([
    ['a caption', { photo: [], caption: 'My cat' }, ['My cat']],
    ['a photo', { photo: [] }, ['[photo]']],
    ['a document', { document: {} }, ['[file]']],
    ['a voice message', { voice: {} }, ['[voice message]']],
    ['a sticker', { sticker: {} }, ['[sticker]']],
  ] as const)('is stored in words where it is %s', async ([, content, texts]) => {
    write(bot, 22, content);
    await handInAll(bot);
    expect(await textsOf()).toEqual(texts);
  });

  test('is a change of a message: its latest text counts, and no event follows', async () => {
    const { messageId } = write(bot, 24, 'first');
    await handInAll(bot);
    const [{ id, revision } = { id: '', revision: 0 }] = await messages();
    const second = edit(bot, 24, { messageId, at: 1_790_000_100, text: 'second' });
    const third = edit(bot, 24, { messageId, at: 1_790_000_200, text: 'third' });
    await handInAll(bot);
    for (const late of [second, third]) expect(await handIn(bot, late)).toBe(204);
    expect(await messages()).toMatchObject([{ id, text: 'third', edited_at: '2026-09-21T14:16:40.000Z' }]);
    const [{ revision: after } = { revision: 0 }] = await messages();
    expect(after).toBe(revision + 2);
    const events = await api.db<{ name: string }[]>`
      select name from events where account_id = ${account.accountId} order by id`;
    expect(events.map(({ name }) => name)).toEqual(['new_contact', 'new_message']);
  });

  test.for<[string, object]>([
    ['of a message that never came', { messageId: 9_999, text: 'other' }],
    ['of a live location', { location: { latitude: 1, longitude: 2 } }],
    ['by which it has no text', { pinned_message: {} }],
    ['in a group', { text: 'other', chat: { id: -5, type: 'group', title: 'Us' } }],
  ])('is ignored where it is a change %s', async ([, content]) => {
    const { messageId } = write(bot, 25, 'first');
    edit(bot, 25, { messageId, at: 1_790_000_100, ...content });
    await handInAll(bot);
    expect(await messages()).toMatchObject([{ text: 'first', edited_at: null }]);
  });
});
