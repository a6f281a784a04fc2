import { afterEach, beforeEach, expect, test } from 'vitest';
import { completeTableIndexes } from '../../../../src/shared/platform/db/table-indexes.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { aBareAccount } from '../../../helpers/states/accounts.ts';
import { manyContacts } from '../../../helpers/states/contacts.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const build = () => database.db`
  select build_index('contacts_anew', 'contacts', '(account_id, external_id)', is_unique => true, replaces => 'contacts_by_external_id')`;

/** Which of the two there are, and whether they are valid and unique. */
const indexes = () => database.db`
  select relname as name, indisvalid and indisunique as is_complete from pg_index join pg_class on oid = indexrelid
  where relname in ('contacts_anew', 'contacts_by_external_id') order by relname`;

const isThere = [{ name: 'contacts_anew', isComplete: true }];

test('an index of a small table takes the place of the one before with the migration that adds it', async () => {
  await build();
  expect(await indexes()).toEqual(isThere);
  expect(await completeTableIndexes(database.db)).toBe(0);
});

test('an index of a large table is built while others write, and the one before goes when it is there', async () => {
  await manyContacts(database.db, await aBareAccount(database.db));
  await build();
  expect(await indexes()).toEqual([{ name: 'contacts_by_external_id', isComplete: true }]);
  expect(await completeTableIndexes(database.db)).toBe(1);
  expect(await indexes()).toEqual(isThere);
  expect(await completeTableIndexes(database.db)).toBe(0);
});

test('a build that was broken off is made anew', async () => {
  await manyContacts(database.db, await aBareAccount(database.db));
  await build();
  const stopping = new AbortController();
  const holder = await database.db.reserve();
  await holder`begin`;
  await holder`lock table contacts in row exclusive mode`;
  const cutOff = completeTableIndexes(database.db, stopping.signal).catch(String);
  const builder = () => database.db`
    select pid from pg_stat_activity
    where datname = current_database() and query like 'create unique index concurrently%' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await builder()).length, { timeout: 60_000, interval: 10 }).toBe(1);
  stopping.abort();
  expect(await cutOff).toMatch(/canceling statement/);
  await holder`rollback`;
  holder.release();
  expect(await completeTableIndexes(database.db)).toBe(1);
  expect(await indexes()).toEqual(isThere);
});
