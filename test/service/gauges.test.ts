import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectDatabase, databaseAnswers, type Database } from '../../src/shared/platform/db/connect.ts';
import { registerGauges } from '../../src/service/gauges.ts';
import { readInstallation } from '../../src/service/installation-numbers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { listen } from '../helpers/receiver.ts';
import { insertMail } from '../../src/shared/mail/queries.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { aChannel, aTalk, send } from '../helpers/messages.ts';
import { startDeliveryWorld } from '../helpers/delivery-world.ts';
import { anUnverifiedWebhook, disableWebhook } from '../helpers/states/webhooks.ts';
import { setRolledUpUntil } from '../helpers/states/statistics.ts';
import { byTheClock } from '../helpers/by-the-clock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The gauges of a worker process on this database; `scrape` answers their lines. */
const scraping = (db: Database): (() => Promise<string[]>) => {
  const registry = new Registry();
  registerGauges(registry, {
    installation: () => readInstallation(db),
    databaseAnswers: () => databaseAnswers(db),
    temporalAnswers: async () => true,
    queues: ['mail'],
    workersRunning: () => true,
    dispatchesWaiting: () => 2,
    spareStartsWaiting: () => 5,
    writesWaiting: () => 3,
    startsFailing: () => true,
  });
  return async () => (await registry.metrics()).split('\n');
};

/** Listens, and never says a word: what a frozen server looks like. */
const aSilentServer = async (): Promise<number> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const port = await listen(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return port;
};

const elapsed = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};

test('an installation that has nothing yet tells so of every state, for only from 0 something can be seen to grow', async () => {
  const lines = await scraping(database.db)();
  expect(lines).toEqual(
    expect.arrayContaining([
      'parley_webhooks{state="active"} 0',
      'parley_webhooks{state="disabled"} 0',
      'parley_webhooks{state="unverified"} 0',
      'parley_deliveries_unfinished{status="pending"} 0',
      'parley_deliveries_unfinished{status="retrying"} 0',
      'parley_deliveries_unfinished{status="parked"} 0',
      'parley_messages_queued 0',
      'parley_runs_open 0',
      'parley_run_chains_guarded 0',
      'parley_runs_backlog 0',
      'parley_origins_open 0',
      'parley_messages_overdue_seconds 0',
    ]),
  );
});

test('statistics are overdue from when an hour could have been rolled up', async () => {
  const { db } = database;
  const overdue = async () => (await readInstallation(db)).statisticsOverdueSeconds;
  await setRolledUpUntil(db, new Date(Date.now() - 64 * 60_000));
  expect(await overdue()).toBe(0);
  await setRolledUpUntil(db, new Date(Date.now() - 75 * 60_000));
  expect(Math.round((await overdue()) / 60)).toBe(10);
});

test('nothing is counted beyond the cap', async () => {
  const world = await startDeliveryWorld();
  onTestFinished(world.stop);
  const { db, accountId, transact } = world;
  const cap = 2;
  const talk = await aTalk(world, await aChannel(world, 'https://127.0.0.1/'));
  for (let number = 0; number <= cap; number += 1) {
    await send(world, talk);
    const webhookId = await world.aWebhook({ url: 'https://a.example' });
    for (const status of ['pending', 'retrying', 'parked'] as const)
      await aDelivery(db, { accountId, webhookId, status });
    const mail = { accountId, kind: 'webhook_disabled', recipient: 'ada@example.com', subject: '', body: '' } as const;
    await transact((tx) => insertMail(tx, { ...mail, dedupKey: String(number) }));
    await disableWebhook(db, await world.aWebhook({ url: 'https://b.example' }));
    await anUnverifiedWebhook(db, accountId);
  }
  const { unfinished, mailsUnfinished, messagesQueued, webhooks } = await readInstallation(db, { cap });
  expect([...unfinished, ...webhooks].map(({ count }) => count)).toEqual(Array(6).fill(cap));
  expect([mailsUnfinished, messagesQueued]).toEqual([cap, cap]);
});

test('a database that hangs is told as down within five seconds, beside everything else', byTheClock, async () => {
  const db = connectDatabase(`postgres://parley@127.0.0.1:${await aSilentServer()}/parley`);
  onTestFinished(() => db.end({ timeout: 0 }));
  let lines: string[] = [];
  expect(await elapsed(async () => (lines = await scraping(db)()))).toBeLessThan(5_000);
  expect(lines).toEqual(
    expect.arrayContaining([
      'parley_database_up 0',
      'parley_temporal_up 1',
      'parley_starts_up 0',
      'parley_workers_up{task_queue="mail"} 1',
      'parley_dispatch_waiting 2',
      'parley_writes_waiting 3',
    ]),
  );
  expect(lines.filter((line) => /^parley_(webhooks|deliveries|mails|database_read)/.test(line))).toEqual([]);
});

test('numbers that take too long are left out, are asked for once however many scrapes come, and come back', async () => {
  const { db } = database;
  const scrape = scraping(db);
  const held = await db.reserve();
  onTestFinished(() => held.release());
  await held`begin`;
  await held`lock table webhooks in access exclusive mode`;
  const blocked = () => held`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

  for (const _ of ['the first', 'the next']) {
    const lines = await scrape();
    expect(lines).toContain('parley_database_up 1');
    expect(lines.filter((line) => /^parley_(webhooks|deliveries|mails)/.test(line))).toEqual([]);
    expect(await blocked()).toHaveLength(1);
  }
  await held`commit`;
  await expect.poll(scrape, { timeout: 60_000 }).toContain('parley_webhooks{state="active"} 0');
});
