import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The master key of an embedded installation: the given one, else the one kept in the data folder (0600), made at the
 * first start. Losing that file loses every sealed secret.
 */
export const loadMasterKey = async ({
  masterKey,
  dataDir,
}: {
  masterKey?: Uint8Array | undefined;
  dataDir: string;
}): Promise<Uint8Array> => {
  if (masterKey) return masterKey;
  const file = join(dataDir, 'master.key');
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await chmod(file, 0o600);
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64');
  if (key.length !== 32) throw new Error(`${file} holds no master key of 32 bytes in base64`);
  return key;
};
