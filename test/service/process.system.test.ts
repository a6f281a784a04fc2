import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { bareEnv } from '../helpers/bare-env.ts';
import { createTestDatabase, type TestDatabase, untilSomebodyWaits } from '../helpers/database.ts';

/** As in `migrate.ts`. */
const migrationLock = 7_205_759;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test('a process that waits for the migrations of another ends when it is told to', async () => {
  const { db } = database;
  const migrated = Promise.withResolvers<void>();
  const other = db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${migrationLock})`;
    await migrated.promise;
  });
  onTestFinished(async () => {
    migrated.resolve();
    await other;
  });

  const child = spawn('node', ['src/worker.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: {
      ...bareEnv(),
      DATABASE_URL: database.target,
      TEMPORAL_ADDRESS: `127.0.0.1:${await pickPort()}`,
      MASTER_KEY: randomBytes(32).toString('base64'),
      METRICS_PORT: String(await pickPort()),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  await untilSomebodyWaits(db);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
