import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { createArrivals } from '../../src/shared/messages/channels/arrivals/arrivals.ts';
import { forgetAlbumParts, holdPart } from '../../src/shared/messages/channels/arrivals/album-parts.ts';
import type { Sql } from '../../src/shared/platform/db/connect.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aPicture } from '../helpers/files.ts';
import { anAccountWithBot } from '../helpers/telegram/accounts.ts';
import { ageAlbumParts } from '../helpers/states/album-parts.ts';
import { edit, write, type Bot, type Update } from '../helpers/telegram/bots.ts';
import { kindsWithTelegram, telegramKindOf } from '../helpers/telegram/kinds.ts';
import { startTelegram } from '../helpers/telegram/service.ts';
import { handIn } from '../helpers/telegram/webhooks.ts';

const telegram = await startTelegram();
afterAll(() => telegram.close());
let aheadMs = 0;
const filesClock = () => Date.now() + aheadMs;
const channelKinds = kindsWithTelegram(telegram);
const api = await useApi({ channelKinds, egressAllow: '', filesClock });
let account: TestAccount;
let bot: Bot;
beforeEach(async () => {
  ({ account, bot } = await anAccountWithBot(api, telegram));
  for (const name of ['one', 'two', 'three']) bot.files.set(name, await aPicture('jpeg'));
});

type Message = { text: string; attachments: { name: string }[]; edited_at: string | null };

const messages = async (): Promise<Message[]> => {
  const [row] = await api.db<{ contactId: string }[]>`
    select contact_id from messages where account_id = ${account.accountId} limit 1`;
  if (!row) return [];
  const path = `/v1/contacts/${showId('contact', row.contactId)}/messages`;
  return (await api.request<{ data: Message[] }>('GET', path, { key: account.apiKey })).body.data.toReversed();
};
const shown = async () =>
  (await messages()).map(({ text, attachments }) => [text, ...attachments.map(({ name }) => name)]);
/** Waits until the account has so many messages; answers their texts and names of files. */
const untilShown = (count: number) =>
  vi.waitFor(
    async () => {
      const all = await shown();
      expect(all).toHaveLength(count);
      return all;
    },
    { timeout: 20_000, interval: 20 },
  );
const held = async () =>
  (await api.db`select from album_parts where account_id = ${account.accountId} and recorded_at is null`).count;
const age = (seconds: number) => ageAlbumParts(api.db, { accountId: account.accountId, seconds });
const stored = async () =>
  (await api.db`select from media where account_id = ${account.accountId} and state = 'stored'`).count;
const events = async () =>
  (await api.db`select from events where account_id = ${account.accountId} and name = 'new_message'`).count;

const channelOf = async ({ id }: Bot): Promise<string> => {
  const [row] = await api.db<{ id: string }[]>`select id from channels where external_ref = ${String(id)}`;
  if (!row) throw new Error('the bot has no channel');
  return row.id;
};

const part = (name: string, more: object = {}) => ({
  media_group_id: '77',
  document: { file_id: name, file_name: `${name}.jpg` },
  ...more,
});
const anAlbum = (more: object = {}): Update[] => [
  write(bot, 41, part('one', { caption: 'Three of us', ...more })),
  write(bot, 41, part('two', more)),
  write(bot, 41, part('three', more)),
];
const whole = ['Three of us', 'one.jpg', 'two.jpg', 'three.jpg'];

describe('an album of Telegram', () => {
  test('is one message with its files in their order, and one event', async () => {
    for (const update of anAlbum()) expect(await handIn(bot, update)).toBe(204);
    expect(await untilShown(1)).toEqual([whole]);
    expect(await events()).toBe(1);
    expect(await stored()).toBe(3);
  });

  test('is recorded once however often and in whatever order its parts come, also later', async () => {
    const parts = anAlbum();
    const answers = await Promise.all([...parts.toReversed(), ...parts].map((update) => handIn(bot, update)));
    expect(new Set(answers)).toEqual(new Set([204]));
    expect(await untilShown(1)).toEqual([whole]);
    for (const update of parts) expect(await handIn(bot, update)).toBe(204);
    await handIn(bot, write(bot, 41, 'after'));
    expect(await shown()).toEqual([whole, ['after']]);
  });

  test('is answered before its files are fetched, and stands before what its chat says next', async () => {
    const fetching = Promise.withResolvers<void>();
    telegram.failBy(({ method }) => (method === 'file' ? { type: 'after', wait: () => fetching.promise } : undefined));
    for (const update of anAlbum()) expect(await handIn(bot, update)).toBe(204);
    expect(await shown()).toEqual([]);
    const next = handIn(bot, write(bot, 41, 'after'));
    fetching.resolve();
    expect(await next).toBe(204);
    expect(await shown()).toEqual([whole, ['after']]);
  });

  test('waits for another part for a second, and for five in all', async () => {
    const channelId = await channelOf(bot);
    const { accountId } = account;
    const hold = (sql: Sql, place: number) => {
      const message = { message_id: `part ${place}`, sender: { external_id: '41' }, text: '' };
      return holdPart(sql, { channelId, accountId, album: 'own' }, { place, told: { message, files: [] } });
    };
    // Uncommitted, so that nobody records them meanwhile.
    const waits = await api.db.begin(async (sql) => {
      const first = await hold(sql, 1);
      await ageAlbumParts(sql, { accountId, seconds: 5 });
      return [first, await hold(sql, 2), await hold(sql, 2)];
    });
    expect(waits).toEqual([expect.any(Number), 0, undefined]);
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits[0]).toBeLessThanOrEqual(1_000);
  });

  test('has no more than ten parts', async () => {
    for (let place = 1; place <= 12; place += 1) {
      await handIn(bot, write(bot, 41, part('one', { media_group_id: '78', caption: `${place}` })));
    }
    await handIn(bot, write(bot, 41, 'after'));
    expect((await untilShown(3)).map(([text]) => text)).toEqual(['1\n2\n3\n4\n5\n6\n7\n8\n9\n10', '11\n12', 'after']);
  });

  test('has its text changed by a change of its caption, also while it is held', async () => {
    for (const update of anAlbum()) await handIn(bot, update);
    const messageId = bot.nextMessageId - 3;
    const change = (text: string, at: number) =>
      edit(bot, 41, { ...part('one'), messageId, at: 1_790_000_000 + at, caption: text });
    expect(await handIn(bot, change('Us', 100))).toBe(204);
    expect(await shown()).toEqual([['Us', ...whole.slice(1)]]);
    expect(await handIn(bot, change('All of us', 200))).toBe(204);
    expect(await shown()).toEqual([['All of us', ...whole.slice(1)]]);
  });

  test('has its text changed by a change of any caption, and keeps the others', async () => {
    const parts = anAlbum();
    for (const update of parts) await handIn(bot, update);
    const first = bot.nextMessageId - 3;
    const change = (index: number, caption: string, at: number) =>
      handIn(bot, edit(bot, 41, { ...part('any'), messageId: first + index, at: 1_790_000_000 + at, caption }));
    expect(await change(2, 'the third', 100)).toBe(204);
    expect(await shown()).toEqual([['Three of us\nthe third', ...whole.slice(1)]]);
    expect(await change(1, 'the second', 90)).toBe(204);
    expect(await change(0, 'Us', 200)).toBe(204);
    // Told late, and told again.
    expect(await change(2, 'nobody', 50)).toBe(204);
    expect(await change(0, 'Us', 200)).toBe(204);
    expect(await shown()).toEqual([['Us\nthe second\nthe third', ...whole.slice(1)]]);
    expect((await messages())[0]?.edited_at).toBe(new Date(1_790_000_200_000).toISOString());
    expect(await change(0, '', 300)).toBe(204);
    expect(await shown()).toEqual([['the second\nthe third', ...whole.slice(1)]]);
    expect(await events()).toBe(1);
  });

  test('without a caption gets a text by that of any part', async () => {
    for (const name of ['one', 'two']) await handIn(bot, write(bot, 41, part(name)));
    const change = edit(bot, 41, {
      ...part('two'),
      messageId: bot.nextMessageId - 1,
      at: 1_790_000_000,
      caption: 'Look',
    });
    expect(await handIn(bot, change)).toBe(204);
    expect(await shown()).toEqual([['Look', 'one.jpg', 'two.jpg']]);
  });

  test('waits for a file, with what its chat says next, and fetches no other file twice', async () => {
    let isAway = true;
    telegram.failBy(({ method, parameters }) =>
      isAway && method === 'getFile' && parameters['file_id'] === 'three'
        ? { type: 'refused', status: 500 }
        : undefined,
    );
    for (const update of anAlbum()) await handIn(bot, update);
    const next = write(bot, 41, 'after');
    expect(await handIn(bot, next)).toBe(503);
    expect(await handIn(bot, next)).toBe(503);
    expect(await shown()).toEqual([]);
    expect(await stored()).toBe(2);
    isAway = false;
    expect(await untilShown(1)).toEqual([whole]);
    expect(await handIn(bot, next)).toBe(204);
    expect(await shown()).toEqual([whole, ['after']]);
    expect(await stored()).toBe(3);
  });

  test('has words in the place of a file that cannot be had for five minutes', async () => {
    telegram.failBy(({ method, parameters }) =>
      method === 'getFile' && parameters['file_id'] === 'two' ? { type: 'refused', status: 500 } : undefined,
    );
    for (const update of anAlbum()) await handIn(bot, update);
    const next = write(bot, 41, 'after');
    expect(await handIn(bot, next)).toBe(503);
    aheadMs += 310_000;
    expect(await handIn(bot, next)).toBe(204);
    expect(await shown()).toEqual([['Three of us\n[file] two.jpg', 'one.jpg', 'three.jpg'], ['after']]);
  });

  /** Another process that has taken an album. */
  const aProcessWithAlbum = async () => {
    const open = { id: await channelOf(bot), accountId: account.accountId, config: { bot_token: bot.token } };
    const { kind, inbound } = telegramKindOf(channelKinds);
    const arrivals = createArrivals(api.deps);
    for (const update of anAlbum()) {
      const body = Buffer.from(JSON.stringify(update));
      const told = inbound.read(open, { headers: {}, query: new URLSearchParams(), body }) ?? [];
      await arrivals.bring({ kind, channel: open, told }, async () => {});
    }
    return arrivals;
  };

  test('that a process has left is recorded by another, once however many do so', async () => {
    const { deps } = api;
    const gone = await aProcessWithAlbum();
    await gone.stop();
    await age(60);
    const others = [createArrivals(deps), createArrivals(deps), createArrivals(deps)];
    await untilShown(1);
    for (const other of others) await other.stop();
    expect(await shown()).toEqual([whole]);
    expect(await events()).toBe(1);
  });

  test('that two processes have at once is one message, with each file used once', async () => {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let isFirst = true;
    telegram.failBy(({ method }) => {
      if (method !== 'file' || !isFirst) return undefined;
      isFirst = false;
      asked.resolve();
      return { type: 'after', wait: () => released.promise };
    });
    const still = await aProcessWithAlbum();
    await asked.promise;
    // One that stands still renews nothing, and the process of the API takes the album over.
    const isShown = async () => {
      await age(60);
      return (await shown()).length === 1;
    };
    await vi.waitUntil(isShown, { timeout: 20_000, interval: 20 });
    released.resolve();
    await still.stop();
    expect(await shown()).toEqual([whole]);
    expect(await events()).toBe(1);
    const used = () => api.db`select from media where account_id = ${account.accountId} and used_at is not null`;
    expect(await used()).toHaveLength(3);
    expect(await stored()).toBe(4);
  });

  test('is forgotten two days after it was recorded, and held until then', async () => {
    for (const update of anAlbum()) await handIn(bot, update);
    await forgetAlbumParts(api.db);
    expect(await held()).toBe(3);
    await untilShown(1);
    await forgetAlbumParts(api.db);
    const kept = () => api.db`select told from album_parts where account_id = ${account.accountId}`;
    expect(await kept()).toEqual([{ told: null }, { told: null }, { told: null }]);
    await age(49 * 3_600);
    await forgetAlbumParts(api.db);
    expect(await kept()).toEqual([]);
  });

  test('keeps no file for a message that never comes, because its channel was removed', async () => {
    telegram.failBy(({ method, parameters }) =>
      method === 'getFile' && parameters['file_id'] === 'two' ? { type: 'refused', status: 500 } : undefined,
    );
    for (const update of anAlbum()) await handIn(bot, update);
    expect(await handIn(bot, write(bot, 41, 'after'))).toBe(503);
    const used = async () =>
      (await api.db`select from media where account_id = ${account.accountId} and used_at is not null`).count;
    expect(await used()).toBe(1);
    const path = `/v1/channels/${showId('channel', await channelOf(bot))}`;
    expect((await api.request('DELETE', path, { key: account.apiKey })).status).toBe(204);
    await forgetAlbumParts(api.db);
    expect([await used(), await held()]).toEqual([0, 0]);
  });
});
