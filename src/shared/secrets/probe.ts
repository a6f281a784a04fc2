import type { Sql } from '../db/connect.ts';
import type { Secrets } from './seal.ts';

/** The stored secrets do not open with the master key that this process was given. */
class MasterKeyError extends Error {
  constructor() {
    super(
      'MASTER_KEY does not open the secrets that are stored in this database. Give the one they were sealed with, or that ' +
        'one as MASTER_KEY_PREVIOUS. An embedded installation keeps its own in DATA_DIR/master.key: leave MASTER_KEY unset there.',
    );
    this.name = 'MasterKeyError';
  }
}

/** Opens the latest account's secret; a process that cannot would accept events and never send one. Throws MasterKeyError. */
export const requireRightMasterKey = async (sql: Sql, secrets: Secrets): Promise<void> => {
  const [account] = await sql<{ id: string; webhookSecret: Buffer }[]>`
    select id, webhook_secret from accounts order by id desc limit 1`;
  if (!account) return;
  try {
    secrets.open(account.webhookSecret, { accountId: account.id, rowId: account.id });
  } catch {
    throw new MasterKeyError();
  }
};
