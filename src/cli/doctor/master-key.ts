import type { Config } from '../../shared/platform/config.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { hasKeyFile, keyFilesOf } from '../../shared/platform/secrets/key-files.ts';
import { openSecrets } from '../../shared/platform/secrets/master-key.ts';
import { total } from '../../shared/platform/secrets/rotate.ts';
import { countSealed, sampleSealed } from '../../shared/platform/secrets/sealed-rows.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

const part = 'Master key';
/** How many values are opened at each end of each table, to find a key that does not open what it should. All are counted by key. */
const sampleSize = 50;

/** Checks whether the master key is there and opens what is stored. It never makes a key. */
export const examineMasterKey = async (sql: Sql, config: Config): Promise<Finding> => {
  const sample = await sampleSealed(sql, sampleSize);
  if (config.masterKey === undefined && !hasKeyFile(config.dataDir)) {
    return sample.length === 0
      ? ok(part, 'the first start creates one')
      : wrong(
          part,
          `${keyFilesOf(config.dataDir).current} is missing, and stored secrets need it`,
          `restore it from a backup, or set MASTER_KEY to its content`,
        );
  }
  const secrets = await openSecrets(config);
  const closed = sample.filter(({ sealed, accountId, rowId }) => {
    try {
      secrets.open(sealed, { accountId, rowId });
      return false;
    } catch {
      // Whatever the reason, it could not sign a delivery.
      return true;
    }
  });
  if (closed.length > 0) {
    return wrong(
      part,
      `does not open ${closed.length} of ${sample.length} stored secrets`,
      'set MASTER_KEY or MASTER_KEY_PREVIOUS to the key that sealed them',
    );
  }
  return examineRotation(await countSealed(sql, secrets.keys).then(total), sample.length);
};

const examineRotation = ({ previous, unknown }: { previous: number; unknown: number }, sampled: number): Finding => {
  if (unknown > 0) {
    return wrong(
      part,
      `no key given opens ${unknown} stored secrets`,
      'set MASTER_KEY_PREVIOUS to their key, then run parley secrets rotate',
    );
  }
  if (previous > 0) {
    return warning(
      part,
      `${previous} stored secrets still need the previous key`,
      'run parley secrets rotate once every process has the new key as MASTER_KEY',
    );
  }
  return ok(part, `opens the ${sampled} stored secrets that were tried`);
};
