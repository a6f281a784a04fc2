import { afterAll, beforeAll, expect, test } from 'vitest';
import { listByLatest } from '../../../../src/shared/messages/conversations/list-by-latest.ts';
import type { Sql } from '../../../../src/shared/platform/db/connect.ts';
import { createSecrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { haveManyConversations, sayMuchInClosed } from '../../../helpers/states/conversations.ts';

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  ({ accountId } = await anAccount({ db, secrets: createSecrets(Buffer.alloc(32, 7)) }));
  await haveManyConversations(db, accountId, { contacts: 1_200, messages: 1 });
  await sayMuchInClosed(db, accountId, 150);
});
afterAll(() => database.drop());

/** How many rows of messages a transaction has read so far. */
const readSoFar = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select (sum(pg_stat_get_xact_tuples_returned(oid)) + sum(pg_stat_get_xact_tuples_fetched(oid)))::int as count from pg_class
    where oid = 'messages'::regclass or oid in (select indexrelid from pg_index where indrelid = 'messages'::regclass)`;
  return row.count;
};

test('open conversations behind 180,000 messages of closed ones are found without reading those', async () => {
  const { db } = database;
  const [all = []] = await db<{ ids: string[] }[]>`
    select array_agg(id order by (select max(m.id::text) from messages m where m.conversation_id = c.id) desc) as ids
    from conversations c where account_id = ${accountId} and status = 'open'`.then((rows) =>
    rows.map(({ ids }) => ids),
  );
  const found: string[] = [];
  let before: string | undefined;
  do {
    const asked = { filter: { status: 'open' as const }, limit: 500, before };
    const { rows, read } = await db.begin(async (sql) => {
      const page = await listByLatest(sql, accountId, asked);
      return { rows: page, read: await readSoFar(sql) };
    });
    expect(read).toBeGreaterThan(500);
    // Ten thousand messages and the conversations, each with its look-ups; all of them would be 700,000.
    expect(read).toBeLessThan(180_000);
    found.push(...rows.map(({ id }) => id));
    before = rows.at(-1)?.lastMessage?.id;
  } while (before !== undefined && found.length < 1_300);
  expect(found).toEqual(all);
});
