import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createStreams, type StreamsOptions } from '../../src/api/stream/streams.ts';
import type { StreamOwner } from '../../src/api/stream/stream-slots.ts';
import type { Topic } from '../../src/shared/facts/topics.ts';
import { connectForStreams, createOthersHearing } from '../../src/shared/hints/hear-others.ts';
import { createTopicTeller } from '../../src/shared/hints/tell-topics.ts';
import { createBeatTellers } from '../../src/service/beat-tellers.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { createTestDatabase, untilSomebodyWaits } from '../helpers/database.ts';
import { aBareAccount, aColleague, expireSessions } from '../helpers/states/accounts.ts';

const { db, target, drop } = await createTestDatabase();
const forStreams = connectForStreams(target);
// Its only connection, on which tests hold statements back.
await forStreams.db`set statement_timeout = 0`;
afterAll(async () => {
  await forStreams.db.end();
  await drop();
});

/** A signed-in user of an account of their own. */
const anOwner = async (): Promise<StreamOwner> => {
  const accountId = await aBareAccount(db);
  const userId = await aColleague(db, accountId, 'agent');
  await createSession(db, userId);
  const [session] = await db<{ id: string }[]>`select id from sessions where user_id = ${userId}`;
  return { accountId, userId, sessionId: session?.id ?? '' };
};

let owner: StreamOwner;
beforeEach(async () => {
  owner = await anOwner();
});

/** Nothing happens by itself unless told: no look at gaps, and no sign of life. */
const hourMs = 3_600_000;
const still = { checkEveryMs: hourMs, heartbeatEveryMs: hourMs };

const startStreams = (options: Partial<StreamsOptions>) => {
  const log = pino({ level: 'silent' });
  const processId = newUuid();
  const teller = createTopicTeller({ sql: db, processId, log });
  const { stop, ...beatTellers } = createBeatTellers({ sql: db, processId, log });
  const others = createOthersHearing({ forStreams, processId, log, gapsEveryMs: hourMs });
  const streams = createStreams({ forStreams, teller, ...beatTellers, others, log, ...still, ...options });
  onTestFinished(async () => {
    await streams.stop();
    await teller.stop();
    await stop();
  });
  const tell = (accountId: string, ...topics: Topic[]): void => teller.tell(new Map([[accountId, new Set(topics)]]));
  return { ...streams, tell };
};

type Asked = { connection: Duplex; response: ServerResponse };

/** A request whose answer its client does not read, over a connection that takes nothing: a kernel takes megabytes. */
const ask = async (): Promise<Asked> => {
  const [client, connection] = duplexPair({ highWaterMark: 1 });
  const server = createServer();
  server.emit('connection', connection);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, response]: ServerResponse[] = await once(server, 'request');
  if (!response) throw new Error('no request');
  onTestFinished(() => void connection.destroy());
  return { connection, response };
};

const leave = async ({ connection, response }: Asked): Promise<void> => {
  const closed = once(response, 'close');
  connection.destroy();
  await closed;
};

/** While this lasts, whoever begins to listen waits. */
const heldBack = async <Result>(work: () => Promise<Result>) => {
  const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>();
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const held = db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(1)`;
    lock();
    await isOver;
  });
  await isLocked;
  const holding = forStreams.db`select pg_advisory_lock(1), pg_advisory_unlock(1)`.execute();
  try {
    await untilSomebodyWaits(db);
    return await work();
  } finally {
    resolve();
    await Promise.all([held, holding]);
  }
};

const listensNow = async (): Promise<boolean> => (await forStreams.db`select pg_listening_channels()`).count > 0;

test('a client that has gone before its stream is asked for takes no place', async () => {
  const streams = startStreams({ bounds: { ofProcess: 2, ofUser: 1, ofSession: 1 } });
  const gone = await ask();
  await leave(gone);
  await streams.open(gone.response, { ...owner, role: 'agent' });
  const stays = await ask();
  await streams.open(stays.response, { ...owner, role: 'agent' });
  expect(stays.response.headersSent).toBe(true);
});

test('a client that goes before its stream has begun gives its place back, and nobody listens for it', async () => {
  const streams = startStreams({ bounds: { ofProcess: 2, ofUser: 1, ofSession: 1 } });
  const goes = await ask();
  const listener = { ...owner, role: 'agent' } as const;
  const { opening } = await heldBack(async () => {
    const begun = streams.open(goes.response, listener);
    await leave(goes);
    return { opening: begun };
  });
  await opening;
  expect(await listensNow()).toBe(false);
  const stays = await ask();
  await streams.open(stays.response, listener);
  expect(stays.response.headersSent).toBe(true);
});

test('streams that are opened at the same time are sent nothing before each has begun', async () => {
  const streams = startStreams({ heartbeatEveryMs: 1, unreadBytes: 1_000_000 });
  const [first, second] = [await ask(), await ask()];
  const another = await anOwner();
  const { opening } = await heldBack(async () => ({
    opening: Promise.all([
      streams.open(first.response, { ...owner, role: 'agent' }),
      streams.open(second.response, { ...another, role: 'agent' }),
    ]),
  }));
  // A stream that was written to before could not begin.
  await opening;
  const before = second.response.writableLength;
  await expect.poll(() => second.response.writableLength, { timeout: 30_000 }).toBeGreaterThan(before);
});

test('a stream that would begin while the process stops is refused', async () => {
  const streams = startStreams({});
  const { response } = await ask();
  const { opening } = await heldBack(async () => {
    const begun = streams.open(response, { ...owner, role: 'agent' });
    const refusal = begun.catch((error: unknown) => error);
    return { opening: refusal, stopping: streams.stop() };
  });
  expect(await opening).toMatchObject({ code: 'unavailable' });
  expect(response.headersSent).toBe(false);
});

test('after its session has ended nothing is written to a stream, and a client that does not read is dropped', async () => {
  const streams = startStreams({
    heartbeatEveryMs: 1,
    checkEveryMs: 20,
    unreadBytes: 1_000_000,
    bounds: { ofProcess: 2, ofUser: 1, ofSession: 1 },
  });
  const { response } = await ask();
  await streams.open(response, { ...owner, role: 'agent' });
  expect(response.writableLength).toBeGreaterThan(0);
  const closed = once(response, 'close');
  await expireSessions(db, owner.userId);
  // It rejects with an error of the response.
  await closed;
});

test('a process listens for all its streams at once; that ends with the last of them, and begins with the next', async () => {
  const streams = startStreams({});
  const listen = async () => {
    const asked = await ask();
    await streams.open(asked.response, { ...owner, role: 'agent' });
    return asked;
  };
  const all = [await listen(), await listen(), await listen()];
  expect(await listensNow()).toBe(true);
  for (const one of all) await leave(one);
  expect(await listensNow()).toBe(false);
  await listen();
  expect(await listensNow()).toBe(true);
});

test('a stream has each topic of its account once, however often it is told in its time', async () => {
  const streams = startStreams({ pace: { talkMs: hourMs, listsMs: hourMs } });
  const { connection, response } = await ask();
  const other = await anOwner();
  await streams.open(response, { ...owner, role: 'agent' });
  const before = response.writableLength;
  for (let told = 0; told < 1_000; told += 1) {
    streams.tell(owner.accountId, 'deliveries');
    streams.tell(other.accountId, 'tags');
  }
  await expect.poll(() => response.writableLength).toBeGreaterThan(before);
  expect(response.writableLength - before).toBeLessThan(2 * 'data: {"topic":"deliveries"}\n\n'.length);
  connection.destroy();
});
