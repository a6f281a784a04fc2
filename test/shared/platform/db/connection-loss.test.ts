import type postgres from 'postgres';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectDatabase, type Database } from '../../../../src/shared/platform/db/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { testCa } from '../../../helpers/tls.ts';

let database: TestDatabase;
let admin: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = connectDatabase(database.target, { max: 1 });
});

afterAll(async () => {
  await admin.end({ timeout: 1 });
  await database.drop();
});

/** A pool of the test's own, under an application name that tells its connections from others. */
const aPool = (name: string, { target = database.target, tls = false, ...options }: Options = {}): Database => {
  const db = connectDatabase(`${target}?application_name=${name}${tls ? '&sslmode=require' : ''}`, options);
  onTestFinished(() => db.end({ timeout: 1 }));
  return db;
};

type Options = { target?: string; tls?: boolean; max?: number; probeMs?: number };

/** The server's side of a pool's connections. */
const backends = async (name: string): Promise<number[]> =>
  (await admin<{ pid: number }[]>`select pid from pg_stat_activity where application_name = ${name}`).map(
    ({ pid }) => pid,
  );

const terminate = (pid: number) => admin`select pg_terminate_backend(${pid})`;

const pidOf = async (db: Database): Promise<number> => {
  const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
};

/** So many transactions that sleep on a connection each until `wake`. */
const sleepers = async (db: Database, count: number): Promise<{ pids: number[]; wake: () => Promise<unknown> }> => {
  const awake = Promise.withResolvers<void>();
  const pids: number[] = [];
  const transactions = Array.from({ length: count }, () =>
    db.begin(async (sql) => {
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      pids.push(row?.pid ?? 0);
      await awake.promise;
    }),
  );
  await vi.waitUntil(() => pids.length === count, { timeout: 60_000 });
  const wake = () => {
    awake.resolve();
    return Promise.all(transactions);
  };
  return { pids, wake };
};

/** Ends the pool's connections from the server's side, as its own end does. */
const cutOff = () =>
  admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

test('under load, no query waits for ever for a lost connection, none gets the answer of another, and the pool is whole again', async () => {
  const { db } = database;
  let answered = 0;
  let wrong = 0;
  const stopping = new AbortController();
  // Also when the test fails: askers of a pool that has ended would leave this process no time for anything else.
  onTestFinished(() => stopping.abort());
  const ask = async (asker: number): Promise<void> => {
    for (let number = asker; !stopping.signal.aborted; number += 1_000) {
      const query =
        asker % 3 === 0
          ? db.begin((sql) => sql<{ echo: number }[]>`select ${number}::int as echo, pg_sleep(0.002)`)
          : db<{ echo: number }[]>`select ${number}::int as echo`;
      const rows = await query.catch(() => undefined);
      if (rows && rows[0]?.echo !== number) wrong += 1;
      answered += 1;
    }
  };
  const askers = Array.from({ length: 60 }, (_, index) => ask(index));
  for (let round = 0; round < 4; round += 1) {
    const enough = answered + 3_000;
    await vi.waitUntil(() => answered > enough, { timeout: 20_000 });
    await cutOff();
  }
  stopping.abort();
  await Promise.all(askers);
  expect(wrong).toBe(0);

  const together = await Promise.all(
    Array.from({ length: 10 }, () => db<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.3)`),
  );
  expect(new Set(together.map(([row]) => row?.pid)).size).toBe(10);
});

type Work = (sql: postgres.TransactionSql) => Promise<unknown>;

test.each([
  { where: 'a transaction', within: (sql: postgres.TransactionSql, work: Work) => work(sql) },
  { where: 'a savepoint', within: (sql: postgres.TransactionSql, work: Work) => sql.savepoint(work) },
])('what goes on in $where that has lost its connection writes nothing, and commits nothing', async ({ within }) => {
  const { db } = database;
  await db`create table if not exists ledger (entry text)`;
  const [inserted, lost] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wentOn = Promise.withResolvers<string>();
  const transaction = db.begin((sql) =>
    within(sql, async (inner) => {
      await inner`insert into ledger values ('first')`;
      inserted.resolve();
      await lost.promise;
      const insert = async () => inner`insert into ledger values ('second')`;
      wentOn.resolve(await insert().then(() => 'written', String));
    }),
  );
  const ended = transaction.then(() => 'committed', String);
  // A connection that is lost between begin and insert leaves the insert waiting for ever, though the transaction ends.
  await inserted.promise;
  await cutOff();
  expect(await ended).toMatch(/CONNECTION_CLOSED|57P01|terminating connection/);
  // Others use the connections that have come in its place.
  await vi.waitUntil(
    async () => {
      const others = await Promise.allSettled(Array.from({ length: 20 }, () => db`select 1`));
      return others.every(({ status }) => status === 'fulfilled');
    },
    { timeout: 60_000 },
  );
  lost.resolve();
  expect(await wentOn.promise).toBe('Error: the transaction has lost its connection');
  expect(await db`select entry from ledger`).toEqual([]);
});

test('a connection that is refused costs the query that asked for it, and no other connection', async () => {
  await admin`create role limited login connection limit 3`;
  onTestFinished(async () => {
    await admin`drop role limited`;
  });
  const target = database.target.replace(/\/\/[^@]+@/, '//limited@');
  const db = aPool('refused', { target, max: 10 });
  const { pids, wake } = await sleepers(db, 3);
  for (let refused = 0; refused < 3; refused += 1) {
    await expect(pidOf(db)).rejects.toMatchObject({ code: '53300' });
  }
  await wake();
  const later = await Promise.all(Array.from({ length: 3 }, () => pidOf(db)));
  expect(pids).toEqual(expect.arrayContaining(later));
});

test('a pool is replaced however soon the next connection is lost', async () => {
  const db = aPool('soon', { max: 3 });
  for (let loss = 0; loss < 3; loss += 1) {
    const { pids, wake } = await sleepers(db, 3);
    await wake();
    const [victim = 0] = pids;
    await terminate(victim);
    const isReplaced = async () => !pids.includes(await pidOf(db).catch(() => victim));
    await expect.poll(isReplaced, { timeout: 500, interval: 5 }).toBe(true);
  }
});

test('nothing remains of a pool that was replaced, whatever had waited for its connections', async () => {
  const db = aPool('retired', { max: 3 });
  const { pids, wake } = await sleepers(db, 3);
  await wake();
  const [victim = 0] = pids;
  // With its parameters not yet described, none of these lets a second one onto its connection.
  const under = pids.map((_, number) => db`select pg_sleep(1), ${number}::int as number`);
  const waiting = Array.from({ length: 8 }, (_, number) => db`select ${number}::text as number`);
  const all = Promise.allSettled([...under, ...waiting]);
  await terminate(victim);
  await all;
  await expect.poll(() => backends('retired'), { timeout: 60_000 }).toEqual([]);
});

/** What a server that speaks TLS does first: it hears the wish and says yes. */
const toTls = async (plain: Socket): Promise<Socket> => {
  await once(plain, 'data');
  plain.pause();
  plain.write('S');
  const { certPem: cert, keyPem: key } = testCa().issue(['127.0.0.1']);
  return new TLSSocket(plain, { isServer: true, cert, key });
};

/** Stands between a pool and the server; `swallow` has nothing get through any more, and nobody told. */
const aNetwork = async ({ tls = false } = {}) => {
  const folder = decodeURIComponent(new URL(database.target).host);
  const pairs: Socket[] = [];
  let silent = false;
  const forward = async (socket: Socket): Promise<void> => {
    const near = tls ? await toTls(socket) : socket;
    const far = connect(`${folder}/.s.PGSQL.5432`);
    pairs.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (bytes) => silent || to.write(bytes));
      from.on('close', () => silent || to.destroy());
    }
  };
  const proxy = createServer((socket) => void forward(socket)).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of pairs) socket.destroy();
    proxy.close();
  });
  const bound = proxy.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('not a TCP server');
  const { pathname } = new URL(database.target);
  return {
    target: `postgres://parley@127.0.0.1:${bound.port}${pathname}`,
    swallow: () => {
      silent = true;
    },
    /** New connections get through again; those from before stay dead. */
    heal: () => {
      silent = false;
      for (const socket of pairs) socket.removeAllListeners('data');
    },
  };
};

test('a network that swallows everything holds up no query for long, and those after it get through anew', async () => {
  const network = await aNetwork();
  const db = aPool('silent', { target: network.target, max: 3, probeMs: 300 });
  const { wake } = await sleepers(db, 3);
  await wake();
  network.swallow();
  const held = await Promise.allSettled(Array.from({ length: 6 }, () => pidOf(db)));
  expect(held.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'));
  network.heal();
  await vi.waitUntil(() => pidOf(db).then(Boolean, () => false), { timeout: 60_000 });
});

test('over TLS, too, a pool works, and is replaced when a connection is lost', async () => {
  const network = await aNetwork({ tls: true });
  const db = aPool('tls', { target: network.target, tls: true, max: 3 });
  const { pids, wake } = await sleepers(db, 3);
  await wake();
  expect(pids).toContain(await pidOf(db));
  const [victim = 0] = pids;
  await terminate(victim);
  const isReplaced = async () => !pids.includes(await pidOf(db).catch(() => victim));
  await expect.poll(isReplaced, { timeout: 2_000, interval: 5 }).toBe(true);
  await expect.poll(() => backends('tls'), { timeout: 60_000 }).not.toEqual(expect.arrayContaining(pids.slice(1)));
});
