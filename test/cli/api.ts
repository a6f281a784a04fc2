import { randomBytes } from 'node:crypto';
import { createTransact } from '../../src/shared/platform/dispatch/transact.ts';
import { withReactions } from '../../src/shared/facts/tell.ts';
import { reactions } from '../../src/shared/reactions.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { startApi, type TestAccount, type TestApi } from '../helpers/api.ts';
import { createTestDatabase } from '../helpers/database.ts';
import type { Env } from './parley.ts';

/** The API with an account, and the settings of a command that works on the same database; Temporal is away. */
export type CliApi = { api: TestApi; account: TestAccount; env: Env; stop: () => Promise<void> };

export const startCliApi = async (): Promise<CliApi> => {
  const { target, db, drop } = await createTestDatabase();
  const masterKey = randomBytes(32);
  const secrets = createSecrets(masterKey);
  const world = {
    db,
    target,
    secrets,
    transact: withReactions(
      reactions,
      createTransact(db, () => {}),
    ),
    metrics: createMetrics(),
  };
  const api = await startApi({ world });
  return {
    api,
    account: await api.createAccount(),
    env: { DATABASE_URL: target, MASTER_KEY: masterKey.toString('base64'), TEMPORAL_ADDRESS: '127.0.0.1:9' },
    stop: async () => {
      await api.stop();
      await drop();
    },
  };
};
