import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { createBot, write, type Bot } from '../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../helpers/telegram/kinds.ts';
import { startTelegram } from '../helpers/telegram/service.ts';
import { handIn } from '../helpers/telegram/webhooks.ts';

type Changes = { path?: string; secret?: string | null; contentType?: string; encoding?: string };
type Refused = { error: { code: string; message: string } };

const telegram = await startTelegram();
afterAll(() => telegram.close());
const api = await useApi({ channelKinds: kindsWithTelegram(telegram), egressAllow: '' });
let account: TestAccount;
let bot: Bot;
let other: Bot;
beforeEach(async () => {
  account = await api.createAccount();
  [bot, other] = [telegram.addBot(), telegram.addBot()];
  for (const { token } of [bot, other]) {
    const body = { type: 'telegram', name: 'Bot', bot_token: token };
    await api.request('POST', '/v1/channels', { key: account.apiKey, body });
  }
});

const secretOf = ({ webhook }: Bot): string => webhook?.secret ?? '';
const pathOf = ({ webhook }: Bot): string => new URL(webhook?.url ?? '').pathname;

/** An update of the bot with this in its message, as it is sent. */
const anUpdate = (content: string | object = 'hi'): object => write(createBot(), 61, content);
/** Sends it with the secret of the bot; null is none. */
const post = (
  body: unknown,
  { path = pathOf(bot), secret, contentType = 'application/json', ...more }: Changes = {},
) => {
  const given = secret === undefined ? secretOf(bot) : secret;
  const headers = {
    'content-type': contentType,
    ...(given !== null && { 'x-telegram-bot-api-secret-token': given }),
    ...(more.encoding !== undefined && { 'content-encoding': more.encoding }),
  };
  return api.request<Refused | undefined>('POST', path, { body, headers });
};
const stored = async () => [
  ...(await api.db`select id from messages where account_id = ${account.accountId}`),
  ...(await api.db`select id from contacts where account_id = ${account.accountId}`),
  ...(await api.db`select id from events where account_id = ${account.accountId}`),
  ...(await api.db`select chat from album_parts where account_id = ${account.accountId}`),
];
const inGroup = { chat: { id: -5, type: 'group', title: 'Us' } };
const huge = 2 ** 60;

describe('a request to the webhook of a bot', () => {
  test.for<[string, () => Changes]>([
    ['no secret', () => ({ secret: null })],
    ['an empty secret', () => ({ secret: '' })],
    ['a wrong secret', () => ({ secret: 'x'.repeat(43) })],
    ['a secret of 8,000 characters', () => ({ secret: 'x'.repeat(8_000) })],
    ['the secret of another channel', () => ({ secret: secretOf(other) })],
    ['the token of the bot for a secret', () => ({ secret: bot.token })],
    ['a channel that is not there', () => ({ path: `/telegram/${showId('channel', newUuid())}` })],
    ['what is no id of a channel', () => ({ path: '/telegram/%00..' })],
  ])('with %s is answered 404 in words, and nothing is stored', async ([, changes]) => {
    const answer = await post(anUpdate(), changes());
    expect(answer.status).toBe(404);
    expect(answer.body?.error).toMatchObject({ code: 'not_found', message: 'No such channel.' });
    expect(await stored()).toEqual([]);
  });

  test.for<[string, unknown, number, Changes?]>([
    ['no body', '', 422],
    ['no JSON', 'hello', 422],
    ['half an update', JSON.stringify({ update_id: 1 }).slice(0, -1), 422],
    ['a form', 'update_id=1&message=hi', 422, { contentType: 'application/x-www-form-urlencoded' }],
    ['what says that it is compressed', '{}', 415, { encoding: 'gzip' }],
    ['a list of updates', [{ update_id: 1 }], 422],
    ['null', 'null', 422],
    ['a number for an update', '7', 422],
    ['no id of an update', { message: {} }, 422],
    ['an id of an update that is no number', { ...anUpdate(), update_id: 'one' }, 422],
    ['an id of an update that is too large', { ...anUpdate(), update_id: huge }, 422],
    ['a message without a chat', { update_id: 1, message: { message_id: 1 } }, 422],
    ['an id of a message that is too large', anUpdate({ message_id: huge }), 422],
    ['an id of a chat that is too large', anUpdate({ chat: { id: huge, type: 'private' } }), 422],
    ['an id of an album of 101 characters', anUpdate({ media_group_id: 'x'.repeat(101), sticker: {} }), 422],
    ['JSON that is nested 100,000 times', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 422],
    ['more than 1 MiB', { ...anUpdate(), x: 'x'.repeat(1024 * 1024) }, 413],
  ])('with %s is refused in words, and nothing is stored', async ([, body, status, changes]) => {
    const answer = await post(body, changes);
    expect(answer.status).toBe(status);
    expect(answer.body?.error.message).toEqual(expect.stringMatching(/\w/));
    expect(await stored()).toEqual([]);
  });

  test.for<[string, object]>([
    ['an update of a kind that was not asked for', { update_id: 1, my_chat_member: { chat: { id: 5 } } }],
    ['an update of a kind that nobody knows', { update_id: 1, from_tomorrow: 'hi' }],
    [
      'a post of a channel',
      { update_id: 1, channel_post: { message_id: 1, chat: { id: -1, type: 'channel' }, text: 'hi' } },
    ],
    ['a message of a group', anUpdate({ text: 'hi', ...inGroup })],
    ['a part of an album of a group', anUpdate({ media_group_id: '7', sticker: {}, ...inGroup })],
    ['a message of a bot', anUpdate({ text: 'hi', from: { id: 5, is_bot: true, first_name: 'Bot' } })],
    ['a message without a sender', anUpdate({ text: 'hi', from: undefined })],
    ['what Telegram says itself', anUpdate({ pinned_message: {} })],
    ['a text that says nothing', anUpdate({ text: ' \n ' })],
    [
      'a change of a message that never came',
      {
        update_id: 1,
        edited_message: {
          message_id: 9,
          edit_date: 9,
          chat: { id: 61, type: 'private' },
          from: { id: 61, is_bot: false, first_name: 'A' },
          text: 'hi',
        },
      },
    ],
    [
      'a tap on a button of nobody',
      {
        update_id: 1,
        callback_query: { id: '1', from: { id: 61, is_bot: false, first_name: 'A' }, data: 'x'.repeat(64) },
      },
    ],
  ])('with %s is answered 204, so that it does not come again, and nothing is stored', async ([, body]) => {
    expect((await post(body)).status).toBe(204);
    expect(await stored()).toEqual([]);
  });

  test('with a text of more than 10,000 characters is taken, and cut there', async () => {
    expect((await post(anUpdate('x'.repeat(20_000)))).status).toBe(204);
    const rows = await api.db<{ length: number }[]>`
      select length(text) as length from messages where account_id = ${account.accountId}`;
    expect(rows).toEqual([{ length: 10_000 }]);
  });

  test(
    'is one of 10,000 without the secret: most are 429, and Telegram’s are taken',
    { timeout: 120_000 },
    async () => {
      expect(await handIn(bot, write(bot, 62, 'before'))).toBe(204);
      const statuses = new Map<number, number>();
      const ask = async () => {
        const { status } = await post({}, { secret: null });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      for (let asked = 0; asked < 10_000; asked += 100) await Promise.all(Array.from({ length: 100 }, ask));
      expect(await handIn(bot, write(bot, 62, 'after'))).toBe(204);
      const refused = statuses.get(429) ?? 0;
      expect(refused + (statuses.get(404) ?? 0)).toBe(10_000);
      // A minute may begin in between.
      expect(refused).toBeGreaterThan(9_000);
      const texts = await api.db`select text from messages where account_id = ${account.accountId} order by seq`;
      expect(texts).toEqual([{ text: 'before' }, { text: 'after' }]);
    },
  );
});
