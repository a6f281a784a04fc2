import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed } from '../../src/shared/facts/changed.ts';
import type { EventAutocommit, EventTransact } from '../../src/shared/facts/tell.ts';
import { createAutocommit } from '../../src/shared/platform/dispatch/transact.ts';
import { insertTag } from '../../src/shared/tags/queries.ts';
import { createTestDatabase } from './database.ts';
import { aBareAccount } from './states/accounts.ts';
import { topicsOfTable } from './table-topics.ts';
import { toldTransact, withToldTopics } from './told-topics.ts';

const { db, drop } = await createTestDatabase();
afterAll(drop);

let accountId: string;
let transact: EventTransact;
let autocommit: EventAutocommit;
beforeAll(async () => {
  accountId = await aBareAccount(db);
  transact = toldTransact(db);
  autocommit = withToldTopics(
    createAutocommit(db, () => {}),
    db,
  );
});

const untold = 'A transaction wrote to tags (tags) and told only of nothing';

test('every table of the schema has topics, or a reason to have none', () => {
  const schema = readFileSync('migrations/schema.sql', 'utf8');
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name ?? '');
  const ofLogs = [...schema.matchAll(/^create table (\w+) partition of/gm)].map(([, name]) => name ?? '');
  expect(Object.keys(topicsOfTable).sort()).toEqual(tables.filter((table) => !ofLogs.includes(table)).sort());
});

describe('a transaction', () => {
  test('fails when it has written to a table and not told its topics', async () => {
    await expect(transact(({ sql }) => insertTag(sql, accountId, 'a'))).rejects.toThrow(untold);
    const other = transact(async ({ sql, tell }) => {
      await tell(changed(accountId, 'flows'));
      return insertTag(sql, accountId, 'b');
    });
    await expect(other).rejects.toThrow('told only of flows');
  });

  test('passes when it has told them, or has written nothing', async () => {
    await transact(async ({ sql, tell }) => {
      await tell(changed(accountId, 'tags'));
      await insertTag(sql, accountId, 'c');
    });
    expect(await transact(({ sql }) => insertTag(sql, accountId, 'c'))).toBeUndefined();
    await transact(({ sql }) => sql`select from tags`);
  });

  test('need not tell what a savepoint has undone', async () => {
    await transact(async (tx) => {
      const undone = tx.savepoint(async ({ sql }) => {
        await insertTag(sql, accountId, 'd');
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
    });
  });
});

test('a statement that commits by itself fails when it has not told what it has written', async () => {
  await expect(autocommit(({ sql }) => insertTag(sql, accountId, 'e'))).rejects.toThrow(untold);
  await autocommit(({ sql, tell }) => {
    tell(changed(accountId, 'tags'));
    return insertTag(sql, accountId, 'f');
  });
});
