import { request } from 'undici';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aPicture } from '../helpers/files.ts';
import { anAccountWithBot } from '../helpers/telegram/accounts.ts';
import { edit, write, type Bot, type Update } from '../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../helpers/telegram/kinds.ts';
import { startTelegram } from '../helpers/telegram/service.ts';
import { handIn, handInAll } from '../helpers/telegram/webhooks.ts';

const telegram = await startTelegram();
afterAll(() => telegram.close());
let aheadMs = 0;
const filesClock = () => Date.now() + aheadMs;
const api = await useApi({ channelKinds: kindsWithTelegram(telegram), egressAllow: '', filesClock });
let account: TestAccount;
let bot: Bot;
beforeEach(async () => {
  ({ account, bot } = await anAccountWithBot(api, telegram));
  bot.files.set('cat', await aPicture('jpeg'));
  bot.files.set('talk', Buffer.from('OggS\0\u0002 and so on'));
  bot.files.set('bill', Buffer.from('%PDF-1.4 of a shop'));
});

type Attachment = { type: string; id: string; name: string; url: string };
type Message = { text: string; attachments: Attachment[] };

const messages = async (): Promise<Message[]> => {
  const rows = await api.db<{ contactId: string }[]>`
    select distinct contact_id from messages where account_id = ${account.accountId}`;
  const lists = await Promise.all(
    rows.map(({ contactId }) =>
      api.request<{ data: Message[] }>('GET', `/v1/contacts/${showId('contact', contactId)}/messages`, {
        key: account.apiKey,
      }),
    ),
  );
  return lists.flatMap(({ body }) => body.data.toReversed());
};
const stored = async () =>
  (await api.db`select id from media where account_id = ${account.accountId} and state = 'stored'`).count;
const photo = (more: object = {}) => ({ photo: [{ file_id: 'small' }, { file_id: 'cat', file_size: 900 }], ...more });

describe('what contacts send over Telegram', () => {
  test.for<[string, object, object]>([
    ['a photo', photo({ caption: 'My cat' }), { text: 'My cat', attachments: [{ type: 'image', name: 'photo.jpg' }] }],
    ['a photo without a word', photo(), { text: '', attachments: [{ type: 'image', width: 600, height: 300 }] }],
    [
      'a document',
      { document: { file_id: 'bill', file_name: '../<b>bill</b>.pdf' } },
      { text: '', attachments: [{ type: 'file', name: 'b_.pdf', content_type: 'application/pdf' }] },
    ],
    ['a voice message', { voice: { file_id: 'talk' } }, { text: '', attachments: [{ name: 'voice-message.ogg' }] }],
    [
      'a location',
      { location: { latitude: 52.5, longitude: 13.4 } },
      { text: '', attachments: [{ type: 'location', latitude: 52.5, longitude: 13.4 }] },
    ],
    [
      'a contact',
      { contact: { phone_number: '+49', first_name: 'Ada', last_name: 'L' } },
      { text: '', attachments: [{ type: 'contact', name: 'Ada L', phone: '+49' }] },
    ],
  ])('is an attachment where it is %s, and can be downloaded', async ([, content, expected]) => {
    write(bot, 31, content);
    await handInAll(bot);
    const [message] = await messages();
    expect(message).toMatchObject(expected);
    const [{ url } = { url: undefined }] = message?.attachments ?? [];
    if (url === undefined) return;
    const { statusCode, body } = await request(url);
    expect(statusCode).toBe(200);
    const bytes = Buffer.from(await body.arrayBuffer());
    expect([...bot.files.values()].some((file) => file.equals(bytes))).toBe(true);
  });

  test.for<[string, object, string]>([
    ['is there no more', { photo: [{ file_id: 'gone' }] }, '[photo]'],
    [
      'is larger than may be kept',
      { document: { file_id: 'bill', file_name: 'a.zip', file_size: 17_000_000 } },
      '[file] a.zip',
    ],
    ['would be read above its folder', { photo: [{ file_id: '../../etc/passwd' }] }, '[photo]'],
    ['is empty', { video: { file_id: 'empty' }, caption: 'Look' }, 'Look\n[video]'],
  ])('has words in the place of a file that %s', async ([, content, text]) => {
    bot.files.set('empty', Buffer.alloc(0));
    bot.files.set('../../etc/passwd', Buffer.from('inside'));
    write(bot, 32, content);
    await handInAll(bot);
    expect(await messages()).toMatchObject([{ text, attachments: [] }]);
    expect(await stored()).toBe(0);
  });

  test('comes again while a file cannot be had, and is taken once with it', async () => {
    let isAway = true;
    telegram.failBy(({ method }) => (isAway && method === 'file' ? { type: 'refused', status: 502 } : undefined));
    const update = write(bot, 33, photo());
    expect(await handIn(bot, update)).toBe(503);
    expect(await messages()).toEqual([]);
    isAway = false;
    for (let time = 1; time <= 3; time += 1) expect(await handIn(bot, update)).toBe(204);
    expect(await messages()).toMatchObject([{ text: '', attachments: [{ type: 'image' }] }]);
    expect(await stored()).toBe(1);
  });

  test('is taken without a file that cannot be had for five minutes, however old it is', async () => {
    telegram.failBy(({ method }) => (method === 'getFile' ? { type: 'refused', status: 500 } : undefined));
    const update = write(bot, 34, photo({ date: 1, caption: 'My cat' }));
    expect(await handIn(bot, update)).toBe(503);
    aheadMs += 290_000;
    expect(await handIn(bot, update)).toBe(503);
    aheadMs += 20_000;
    expect(await handIn(bot, update)).toBe(204);
    expect(await messages()).toMatchObject([{ text: 'My cat\n[photo]', attachments: [] }]);
  });

  test.for<[string, (first: { messageId: number }) => Update, string[]]>([
    ['another message', () => write(bot, 35, 'second'), ['first', 'second']],
    [
      'a change of it',
      ({ messageId }) => edit(bot, 35, { messageId, at: 2_000_000_000, ...photo({ caption: 'changed' }) }),
      ['changed'],
    ],
  ])('keeps %s behind it while a file is fetched, and keeps no other chat waiting', async ([, later, texts]) => {
    const fetching = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    telegram.failBy(({ method }) => {
      if (method !== 'file') return undefined;
      fetching.resolve();
      return { type: 'after', wait: () => held.promise };
    });
    const take = (update: Update) => handIn(bot, update);
    const photographed = write(bot, 35, photo({ caption: 'first' }));
    const first = take(photographed);
    await fetching.promise;
    const second = take(later(photographed));
    expect(await take(write(bot, 36, 'of another chat'))).toBe(204);
    expect((await messages()).map(({ text }) => text)).toEqual(['of another chat']);
    held.resolve();
    expect(await Promise.all([first, second])).toEqual([204, 204]);
    expect((await messages()).map(({ text }) => text).filter((text) => !text.startsWith('of'))).toEqual(texts);
  });

  test('tells nobody the token of the bot, which the address of each file has', async () => {
    write(bot, 37, photo());
    await handInAll(bot);
    const secret = bot.token.split(':')[1] ?? '';
    const rows = await api.db`select m.*, e.data from messages m left join events e on e.id = m.event_id`;
    expect(`${JSON.stringify(rows)}${JSON.stringify(await messages())}${api.logged.join('')}`).not.toContain(secret);
  });
});
