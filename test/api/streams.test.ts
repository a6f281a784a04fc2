import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { connectForStreams, createStreams, type StreamsOptions } from '../../src/api/stream/streams.ts';
import type { StreamOwner } from '../../src/api/stream/stream-slots.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { connectOverheard, createTestDatabase, untilSomebodyWaits } from '../helpers/database.ts';
import { aBareAccount, aColleague, expireSessions } from '../helpers/states/accounts.ts';

const { db, target, drop } = await createTestDatabase();
const forStreams = connectForStreams(target);
afterAll(async () => {
  await forStreams.end();
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

/** Nothing happens by itself unless told: no second look, and no sign of life. */
const hourMs = 3_600_000;
const still = { lookEveryMs: hourMs, checkEveryMs: hourMs, heartbeatEveryMs: hourMs };

const startStreams = (options: Partial<StreamsOptions>) => {
  const streams = createStreams({ db: forStreams, log: pino({ level: 'silent' }), ...still, ...options });
  onTestFinished(() => streams.stop());
  return streams;
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

/** While this transaction lasts, whoever begins to listen waits. */
const heldBack = <Result>(work: () => Promise<Result>) =>
  db.begin(async (sql) => {
    await sql`lock table deliveries in access exclusive mode`;
    return work();
  });

/**
 * Connections of which statements are counted by a word of theirs. Snapshots: one as the first begins to listen, and one for each look at what
 * has changed.
 */
const overhear = () => {
  const statements: string[] = [];
  const overheard = connectOverheard(target, (statement) => statements.push(statement));
  onTestFinished(() => overheard.end());
  const count = async (word: string): Promise<number> => {
    await overheard`select 'all before it is done'`;
    return statements.filter((statement) => statement.includes(word)).length;
  };
  return { overheard, count, snapshots: () => count('pg_current_snapshot') };
};

test('a client that has gone before its stream is asked for takes no place', async () => {
  const streams = startStreams({ bounds: { ofProcess: 2, ofUser: 1, ofSession: 1 } });
  const gone = await ask();
  await leave(gone);
  await streams.open(gone.response, { ...owner, role: 'agent' });
  const stays = await ask();
  await streams.open(stays.response, { ...owner, role: 'agent' });
  expect(stays.response.headersSent).toBe(true);
});

test('a client that goes before its stream has begun gives its place back, and nobody looks at anything for it', async () => {
  const { overheard, count } = overhear();
  const streams = startStreams({ db: overheard, bounds: { ofProcess: 2, ofUser: 1, ofSession: 1 } });
  const goes = await ask();
  const listener = { ...owner, role: 'agent' } as const;
  const { opening } = await heldBack(async () => {
    const begun = streams.open(goes.response, listener);
    await untilSomebodyWaits(db);
    await leave(goes);
    return { opening: begun };
  });
  await opening;
  expect(await count('from sessions join users')).toBe(0);
  const stays = await ask();
  await streams.open(stays.response, listener);
  expect(stays.response.headersSent).toBe(true);
});

test('a stream that has not begun is sent nothing, while others have their signs of life', async () => {
  const streams = startStreams({ heartbeatEveryMs: 1, unreadBytes: 1_000_000 });
  const [first, second] = [await ask(), await ask()];
  await streams.open(first.response, { ...owner, role: 'agent' });
  const another = await anOwner();
  const { opening } = await heldBack(async () => {
    const begun = streams.open(second.response, { ...another, role: 'agent' });
    await untilSomebodyWaits(db);
    const before = first.response.writableLength;
    await expect.poll(() => first.response.writableLength, { timeout: 30_000 }).toBeGreaterThan(before + 30);
    expect(second.response.headersSent).toBe(false);
    return { opening: begun };
  });
  await opening;
  expect(second.response.headersSent).toBe(true);
});

test('a stream that would begin while the process stops is refused', async () => {
  const streams = startStreams({});
  const { response } = await ask();
  const { opening } = await heldBack(async () => {
    const begun = streams.open(response, { ...owner, role: 'agent' });
    const refusal = begun.catch((error: unknown) => error);
    await untilSomebodyWaits(db);
    await streams.stop();
    return { opening: refusal };
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

test('one look is for all who listen; it ends with the last of them, and begins with the next', async () => {
  const { overheard, snapshots } = overhear();
  const streams = startStreams({ db: overheard });
  const listen = async () => {
    const asked = await ask();
    await streams.open(asked.response, { ...owner, role: 'agent' });
    return asked;
  };
  const all = [await listen(), await listen(), await listen()];
  expect(await snapshots()).toBe(2);
  for (const one of all) await leave(one);
  await listen();
  expect(await snapshots()).toBe(4);
});
