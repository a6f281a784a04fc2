import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { withReactions } from '../../src/shared/facts/tell.ts';
import { connectDatabase, type Database, type DatabaseTarget } from '../../src/shared/platform/db/connect.ts';
import { createTransact } from '../../src/shared/platform/dispatch/transact.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { reactions } from '../../src/shared/reactions.ts';
import { useApi, type TestApi } from './api.ts';
import { createTestDatabase } from './database.ts';

/** The service on one connection, of which `entriesRead` counts all that is read; stopped after the test file. */
export const useCountedApi = async (): Promise<{ api: TestApi; db: Database; database: DatabaseTarget }> => {
  const { target: database, drop } = await createTestDatabase();
  const db = connectDatabase(database, { max: 1, settings: { max_parallel_workers_per_gather: 0 } });
  const transact = withReactions(
    reactions,
    createTransact(db, () => {}),
  );
  afterAll(async () => {
    await db.end();
    await drop();
  });
  const secrets = createSecrets(randomBytes(32));
  const api = await useApi({ world: { db, target: database, transact, secrets, reads: (_, read) => read(db) } });
  return { api, db, database };
};
