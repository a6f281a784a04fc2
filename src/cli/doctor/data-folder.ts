import { constants, existsSync } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, warning, wrong, type Finding } from './finding.ts';

const part = 'Data folder';
const gigabyte = 1e9;
const leastFree = { warning: 2 * gigabyte, wrong: 0.2 * gigabyte };

/** Who may read the data folder and its secrets, and how much room there is. */
export const examineDataFolder = async (dataDir: string): Promise<Finding[]> => {
  if (!existsSync(dataDir)) return [ok(part, `${dataDir} does not exist yet; the first start creates it`)];
  return [...(await examineRights(dataDir)), await examineSpace(dataDir), ...examineFirstAccount(dataDir)];
};

const examineRights = async (dataDir: string): Promise<Finding[]> => {
  const writable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    return [
      wrong(part, `this user cannot read and write ${dataDir}`, 'run as its owner, or change the owner with chown -R'),
    ];
  const open: Finding[] = [];
  // A PostgreSQL of another system user needs to pass through (x), not to list.
  if (((await stat(dataDir)).mode & 0o066) !== 0) {
    open.push(wrong(part, `other users can read or write in ${dataDir}`, `chmod go-rw ${dataDir}`));
  }
  for (const file of await listPrivateFiles(dataDir)) {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) open.push(wrong(part, `other users can read ${file}`, `chmod 600 ${file}`));
  }
  return open.length > 0 ? open : [ok(part, `only its owner can read ${dataDir}`)];
};

/** Keys, credentials and mails. PostgreSQL protects its own folder, and refuses to start on an open one. */
const listPrivateFiles = async (dataDir: string): Promise<string[]> => {
  const folders = [dataDir, join(dataDir, 'run'), join(dataDir, 'mails')];
  const entries = await Promise.all(folders.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])));
  return entries.flat().flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
};

const examineSpace = async (dataDir: string): Promise<Finding> => {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const message = `${(free / gigabyte).toFixed(1)} GB free for ${dataDir}`;
  const remedy = 'free some space, or move DATA_DIR to a larger disk';
  if (free < leastFree.wrong) return wrong('Disk', message, remedy);
  return free < leastFree.warning ? warning('Disk', message, remedy) : ok('Disk', message);
};

const examineFirstAccount = (dataDir: string): Finding[] => {
  const file = join(dataDir, 'first-account.txt');
  if (!existsSync(file)) return [];
  return [warning('First account', `${file} still holds its password and API key`, 'save them, then delete the file')];
};
