import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { aPicture } from '../helpers/files.ts';
import { startParley } from '../helpers/parley-process.ts';
import { write, type Bot } from '../helpers/telegram/bots.ts';
import { startTelegram, type TelegramService } from '../helpers/telegram/service.ts';
import { handIn } from '../helpers/telegram/webhooks.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';
import { untold } from '../helpers/untold.ts';

let database: TestDatabase;
let temporal: DevServer;
let telegram: TelegramService;
const dataDir = tempFolder('killed-telegram');
const masterKey = randomBytes(32);

beforeAll(async () => {
  [database, temporal, telegram] = await Promise.all([createTestDatabase(), startDevServer(), startTelegram()]);
});
afterAll(async () => {
  await Promise.all([database.drop(), temporal.stop(), telegram.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

type Updates = 'webhook' | 'poll';

const start = async (port: number, updates: Updates) => {
  const env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.target,
    TEMPORAL_ADDRESS: temporal.address,
    MASTER_KEY: masterKey.toString('base64'),
    TELEGRAM_API_URL: telegram.url,
    TELEGRAM_UPDATES: updates,
  };
  const parley = await startParley({ env });
  onTestFinished(async () => void (await parley.stop()));
  return parley;
};

/** Hands in what was written in each chat, in its order and until it is taken, as Telegram does. */
const handInChats = async (bot: Bot): Promise<void> => {
  const chats = Map.groupBy(bot.pending.splice(0), ({ message }) =>
    message && 'from' in message ? JSON.stringify(message.from) : '',
  );
  await Promise.all(
    Array.from(chats.values(), async (updates) => {
      for (const update of updates) while (!((await handIn(bot, update).catch(() => 503)) < 300)) await sleep(100);
    }),
  );
};

const [single, album] = [81, 82];
const photo = (file: string, more: object = {}) => ({ photo: [{ file_id: file }], ...more });
const part = (file: string, more: object = {}) => photo(file, { media_group_id: '5', ...more });

test.for<Updates>(['webhook', 'poll'])(
  'SIGKILL while files of Telegram are fetched (%s) loses nothing, and records nothing twice',
  { timeout: 300_000 },
  async (updates) => {
    const { db } = database;
    const { accountId } = await anAccount({ db, secrets: createSecrets(masterKey) });
    const { value: key } = await createApiKey(untold(db), accountId, 'test');
    const port = await pickPort();
    let parley = await start(port, updates);
    const bot = telegram.addBot();
    const answer = await fetch(`${parley.url}/v1/channels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'telegram', name: 'Bot', bot_token: bot.token }),
    });
    expect(answer.status).toBe(201);
    for (const file of ['cat', 'dog', 'hen']) bot.files.set(file, await aPicture('jpeg'));

    // One file after the other is under way when the process is killed.
    const asked = new Map(['cat', 'hen'].map((file) => [file, Promise.withResolvers<void>()]));
    const killed = new Map(['cat', 'hen'].map((file) => [file, Promise.withResolvers<void>()]));
    let latest = '';
    telegram.failBy(({ method, parameters }) => {
      if (method === 'getFile') latest = String(parameters['file_id']);
      const file = latest;
      if (method !== 'file' || !killed.has(file)) return undefined;
      asked.get(file)?.resolve();
      return { type: 'after', wait: () => killed.get(file)?.promise ?? Promise.resolve() };
    });
    const killAt = async (file: string): Promise<void> => {
      await asked.get(file)?.promise;
      parley.child.kill('SIGKILL');
      await once(parley.child, 'close');
      killed.get(file)?.resolve();
      killed.delete(file);
      parley = await start(port, updates);
    };

    for (const content of ['before', photo('cat', { caption: 'My cat' }), 'after']) write(bot, single, content);
    const first = updates === 'webhook' ? handInChats(bot) : Promise.resolve();
    await killAt('cat');
    for (const content of [part('dog', { caption: 'Both' }), part('hen'), 'after both']) write(bot, album, content);
    const second = updates === 'webhook' ? handInChats(bot) : Promise.resolve();
    await killAt('hen');
    await Promise.all([first, second]);

    const recorded = async () =>
      db<{ chat: string; texts: string[]; files: number }[]>`
        select i.external_id as chat, array_agg(m.text order by m.seq) as texts,
          sum(jsonb_array_length(coalesce(m.content -> 'attachments', '[]')))::int as files
        from messages m join contact_identities i on i.contact_id = m.contact_id and i.channel_id = m.channel_id
        where m.account_id = ${accountId} group by i.external_id order by 1`;
    const expected = [
      { chat: String(single), texts: ['before', 'My cat', 'after'], files: 1 },
      { chat: String(album), texts: ['Both', 'after both'], files: 2 },
    ];
    await vi.waitFor(async () => expect(await recorded()).toEqual(expected), { timeout: 120_000, interval: 100 });
    await vi.waitUntil(() => bot.pending.length === 0, { timeout: 60_000, interval: 100 });
    await parley.stop();
    expect(await recorded()).toEqual(expected);
    const events = await db`select from events where account_id = ${accountId} and name = 'new_message'`;
    expect(events.count).toBe(5);
    const used = await db`select from media where account_id = ${accountId} and used_at is not null`;
    expect(used.count).toBe(3);
  },
);
