import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../shared/config.ts';
import type { Sql } from '../../shared/db/connect.ts';
import { loadMasterKey } from '../../shared/secrets/master-key.ts';
import { createSecrets } from '../../shared/secrets/seal.ts';
import { ok, wrong, type Finding } from './finding.ts';

const part = 'Master key';
/** Enough to find a wrong key; a rotation that was left half-way shows in the oldest ones. */
const sampleSize = 50;

/** Whether the master key is there and opens what is stored; never makes one. */
export const examineMasterKey = async (sql: Sql, config: Config): Promise<Finding> => {
  const sample = await sampleSecrets(sql);
  const file = join(config.dataDir, 'master.key');
  if (config.masterKey === undefined && !(await isThere(file))) {
    return sample.length === 0
      ? ok(part, 'the first start makes one')
      : wrong(
          part,
          `${file} is missing, and secrets are sealed with it`,
          `bring it back from a backup, or set MASTER_KEY to its content`,
        );
  }
  const secrets = createSecrets(await loadMasterKey(config), config.masterKeyPrevious);
  const closed = sample.filter(({ sealed, accountId, rowId }) => {
    try {
      secrets.open(sealed, { accountId, rowId });
      return false;
    } catch {
      // Whatever the reason, a delivery could not be signed with it.
      return true;
    }
  });
  if (closed.length === 0) return ok(part, `opens the ${sample.length} stored secrets that were tried`);
  return wrong(
    part,
    `does not open ${closed.length} of ${sample.length} stored secrets`,
    'give the key they were sealed with as MASTER_KEY, or as MASTER_KEY_PREVIOUS',
  );
};

const sampleSecrets = (sql: Sql) => sql<{ sealed: Buffer; accountId: string; rowId: string }[]>`
  (select webhook_secret as sealed, id as account_id, id as row_id from accounts order by id limit ${sampleSize})
  union
  (select webhook_secret, id, id from accounts order by id desc limit ${sampleSize})
  union
  (select secret, account_id, id from webhooks where secret is not null and deleted_at is null order by id desc limit ${sampleSize})`;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
