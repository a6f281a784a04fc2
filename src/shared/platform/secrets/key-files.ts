import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { chmod, link, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asMasterKey, type MasterKey, type MasterKeys } from './seal.ts';
import { codeOf } from '../error-code.ts';

/**
 * The files of an embedded installation's master key, and of the previous one. Only their owner can read them. Losing `current` loses every
 * secret that is sealed with it.
 */
export const keyFilesOf = (dataDir: string) => ({
  current: join(dataDir, 'master.key'),
  previous: join(dataDir, 'master.key.previous'),
});

/** Whether there is a master key. Throws when the folder cannot be read. */
export const hasKeyFile = (dataDir: string): boolean =>
  statSync(keyFilesOf(dataDir).current, { throwIfNoEntry: false }) !== undefined;

/** Makes the first master key where there is none. */
export const ensureKeyFile = async (dataDir: string): Promise<void> => {
  const { current } = keyFilesOf(dataDir);
  if (hasKeyFile(dataDir)) return chmod(current, 0o600);
  await mkdir(dataDir, { recursive: true });
  const made = await writeNewKey(current);
  try {
    // Unlike a rename, a link never replaces a key that another process has just made.
    await link(made, current);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(made);
  }
  await syncFolder(dataDir);
};

/**
 * The keys in the files of `dataDir`, and `extra`. A running process changes over to a new key by itself: it reads the key that seals each time
 * (which takes microseconds, and secrets are sealed rarely), and reads the files again for an unknown key id.
 */
export const keysInFiles = (dataDir: string, extra: readonly Uint8Array[] = []): MasterKeys => {
  const files = keyFilesOf(dataDir);
  const current = (): MasterKey => readKey(files.current);
  const readAll = (): MasterKey[] => [current(), ...readIfThere(files.previous), ...extra.map(asMasterKey)];
  let known = readAll();
  const findKnown = (id: Buffer) => known.find((key) => key.id.equals(id));
  return {
    current,
    find: (id) => {
      const found = findKnown(id);
      if (found) return found;
      known = readAll();
      return findKnown(id);
    },
  };
};

/**
 * Replaces the current key by a new one. The old key becomes the previous one and goes on to open. The files hold the key of whatever is sealed at
 * every moment: the old key has its second name on the disk before the new one is in force.
 */
export const replaceKeyFile = async (dataDir: string): Promise<void> => {
  const { current, previous } = keyFilesOf(dataDir);
  const made = await writeNewKey(current);
  await rm(previous, { force: true });
  await link(current, previous);
  await syncFolder(dataDir);
  await rename(made, current);
  await syncFolder(dataDir);
};

/**
 * The files of replaced keys: the previous one, and those that a process was writing when it died. Such a file is a copy (0.2 made copies) or a
 * key that never came into force.
 */
export const listReplacedKeyFiles = async (dataDir: string): Promise<string[]> => {
  const names = await readdir(dataDir);
  return names
    .filter((name) => /^master\.key\.(previous|(previous\.)?\d+)$/.test(name))
    .map((name) => join(dataDir, name));
};

/** Removes the files of replaced keys. */
export const removeReplacedKeyFiles = async (dataDir: string): Promise<void> => {
  for (const file of await listReplacedKeyFiles(dataDir)) await rm(file, { force: true });
  await syncFolder(dataDir);
};

const readKey = (file: string): MasterKey => {
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.length !== 32) throw new Error(`${file} holds no master key of 32 bytes in base64`);
  return asMasterKey(key);
};

const readIfThere = (file: string): MasterKey[] => {
  try {
    return [readKey(file)];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
};

/** Writes a new key to the disk beside its place, and answers the path, to be renamed or linked. */
const writeNewKey = async (place: string): Promise<string> => {
  const path = `${place}.${process.pid}`;
  await rm(path, { force: true });
  await writeFile(path, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  return path;
};

const syncFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, 'r');
  await folder.sync();
};
