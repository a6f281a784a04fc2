import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectDatabase, type Database } from '../../../src/shared/db/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';

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

/** Ends the pool's connections from the server's side, as its own end does. */
const cutOff = () =>
  admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

test('under load, no query waits for ever for a lost connection, none gets the answer of another, and the pool is whole again', async () => {
  const { db } = database;
  let answered = 0;
  let wrong = 0;
  const stopping = new AbortController();
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
    await vi.waitUntil(() => answered > enough, { timeout: 8_000 });
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

test('what goes on in the work of a transaction that has lost its connection writes nothing, and commits nothing', async () => {
  const { db } = database;
  await db`create table ledger (entry text)`;
  const lost = Promise.withResolvers<void>();
  const wentOn = Promise.withResolvers<string>();
  const transaction = db.begin(async (sql) => {
    await sql`insert into ledger values ('first')`;
    await lost.promise;
    const insert = async () => sql`insert into ledger values ('second')`;
    wentOn.resolve(await insert().then(() => 'written', String));
  });
  const ended = transaction.then(() => 'committed', String);
  await vi.waitUntil(
    async () => (await admin`select 1 from pg_stat_activity where state = 'idle in transaction'`).count,
  );
  await cutOff();
  expect(await ended).toMatch(/CONNECTION_CLOSED|57P01|terminating connection/);
  // Others use the connections that have come in its place.
  await vi.waitUntil(async () => {
    const others = await Promise.allSettled(Array.from({ length: 20 }, () => db`select 1`));
    return others.every(({ status }) => status === 'fulfilled');
  });
  lost.resolve();
  expect(await wentOn.promise).toBe('Error: the transaction has lost its connection');
  expect(await db`select entry from ledger`).toEqual([]);
});
