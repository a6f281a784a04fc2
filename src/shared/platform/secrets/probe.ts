import type { Sql } from '../db/connect.ts';
import type { Secrets } from './seal.ts';
import { findUnopenable, showRow } from './sealed-rows.ts';

/** A stored secret does not open with the master keys that this process was given. */
class MasterKeyError extends Error {
  constructor({ row, keyId }: { row: string; keyId: Buffer }) {
    super(
      `MASTER_KEY does not open the secret of ${row}, which was sealed with the key ${keyId.toString('hex')}. Give the key ` +
        'that stored secrets were sealed with, or that one as MASTER_KEY_PREVIOUS. An embedded installation keeps its own in ' +
        'DATA_DIR/master.key: leave MASTER_KEY unset there.',
    );
    this.name = 'MasterKeyError';
  }
}

/**
 * Refuses the start of a process that would accept events and could not sign all of their deliveries: one account or webhook
 * under a key that is not given is enough. Throws MasterKeyError.
 */
export const requireRightMasterKey = async (sql: Sql, secrets: Secrets): Promise<void> => {
  const found = await findUnopenable(sql, secrets.keys);
  if (found) throw new MasterKeyError({ row: showRow(found), keyId: found.keyId });
};
