import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { connectDatabase, type Database, type DatabaseTarget } from '../../src/shared/db/connect.ts';

export type TestDatabase = { target: DatabaseTarget; db: Database; drop: () => Promise<void> };

/**
 * A database of the caller's own, empty, on the server of this test run; migrated unless told otherwise. Drop it when the
 * file is done.
 */
export const createTestDatabase = async ({ migrated = true } = {}): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const target = urlOf(name);
  const template = migrated ? 'template' : 'template0';
  await asAdmin((sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`);
  const db = connectDatabase(target, { max: 10 });
  const drop = async () => {
    await db.end({ timeout: 5 });
    await asAdmin((sql) => sql`drop database ${sql(name)} with (force)`);
  };
  return { target, db, drop };
};

/** Of another database on the server of this run. */
const urlOf = (database: string): DatabaseTarget => inject('templateUrl').replace(/[^/]+$/, database);

const asAdmin = async (statement: (sql: Database) => Promise<unknown>): Promise<void> => {
  const sql = connectDatabase(urlOf('postgres'), { max: 1 });
  try {
    await statement(sql);
  } finally {
    await sql.end();
  }
};
