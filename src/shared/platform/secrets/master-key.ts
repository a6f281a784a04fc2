import type { Config } from '../config.ts';
import { ensureKeyFile, keysInFiles } from './key-files.ts';
import { createSecrets, createSecretsOf, type Secrets } from './seal.ts';

export type KeySettings = Pick<Config, 'masterKey' | 'masterKeyPrevious' | 'dataDir'>;

/**
 * Seals and opens with the master key of the settings, else with the one kept in the data folder, which is made at the first
 * start. MASTER_KEY_PREVIOUS opens in both cases.
 */
export const openSecrets = async ({ masterKey, masterKeyPrevious, dataDir }: KeySettings): Promise<Secrets> => {
  if (masterKey) return createSecrets(masterKey, masterKeyPrevious);
  await ensureKeyFile(dataDir);
  return createSecretsOf(keysInFiles(dataDir, masterKeyPrevious ? [masterKeyPrevious] : []));
};
