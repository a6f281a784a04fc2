import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asMasterKey, type MasterKey, type MasterKeys } from './seal.ts';

/**
 * Where an embedded installation keeps its master key, and the one before it. Readable by its owner alone; losing `current`
 * loses every secret sealed with it.
 */
export const keyFilesOf = (dataDir: string) => ({
  current: join(dataDir, 'master.key'),
  previous: join(dataDir, 'master.key.previous'),
});

/** Makes the first master key where there is none. */
export const ensureKeyFile = async (dataDir: string): Promise<void> => {
  const { current } = keyFilesOf(dataDir);
  if (await switchedAt(dataDir)) return chmod(current, 0o600);
  await mkdir(dataDir, { recursive: true });
  const unfinished = await writeKey(current, randomBytes(32));
  try {
    // Unlike a rename it never replaces the key that another process has made just now.
    await link(unfinished, current);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(unfinished);
  }
  await syncFolder(dataDir);
};

/**
 * The keys in the files of `dataDir`, and `extra`. A process that runs while the key is replaced goes over to the new one by
 * itself: the key that seals is read each time (microseconds, and secrets are sealed rarely), the files are looked into
 * again for an id that is not known, and a key once seen opens as long as the process lives.
 */
export const keysInFiles = (dataDir: string, extra: readonly Uint8Array[] = []): MasterKeys => {
  const files = keyFilesOf(dataDir);
  const seen = new Map(extra.map(asMasterKey).map((key) => [key.id.toString('hex'), key]));
  const note = (key: MasterKey): MasterKey => {
    seen.set(key.id.toString('hex'), key);
    return key;
  };
  const current = (): MasterKey => note(asMasterKey(parseKey(files.current, readFileSync(files.current, 'utf8'))));
  // Noted at once: the key may be replaced, and forgotten, before the first secret is opened.
  current();
  return {
    current,
    find: (id) => {
      const name = id.toString('hex');
      const known = seen.get(name);
      if (known) return known;
      current();
      const previous = readIfThere(files.previous);
      if (previous !== undefined) note(asMasterKey(parseKey(files.previous, previous)));
      return seen.get(name);
    },
  };
};

/**
 * Puts a new key in the place of the current one, which becomes the previous one and goes on to open. At every moment the
 * files hold the key of whatever is sealed: the copy is on the disk before the new key is in force.
 */
export const replaceKeyFile = async (dataDir: string): Promise<void> => {
  const { current, previous } = keyFilesOf(dataDir);
  const replaced = parseKey(current, await readFile(current, 'utf8'));
  await rename(await writeKey(previous, replaced), previous);
  await syncFolder(dataDir);
  await rename(await writeKey(current, randomBytes(32)), current);
  await syncFolder(dataDir);
};

/**
 * The files of keys that were replaced: the one before the current one, and those that a process was writing when it died,
 * which are the same key or one that never came into force.
 */
export const listReplacedKeyFiles = async (dataDir: string): Promise<string[]> => {
  const names = await readdir(dataDir);
  return names
    .filter((name) => /^master\.key\.(previous|(previous\.)?\d+)$/.test(name))
    .map((name) => join(dataDir, name));
};

/** Removes them. */
export const removeReplacedKeyFiles = async (dataDir: string): Promise<void> => {
  for (const file of await listReplacedKeyFiles(dataDir)) await rm(file, { force: true });
  await syncFolder(dataDir);
};

export const hasPreviousKeyFile = async (dataDir: string): Promise<boolean> =>
  (await timeOf(keyFilesOf(dataDir).previous)) !== undefined;

/** When the current key came into force; undefined when there is none. */
export const switchedAt = (dataDir: string): Promise<Date | undefined> => timeOf(keyFilesOf(dataDir).current);

const timeOf = async (file: string): Promise<Date | undefined> => {
  try {
    return (await stat(file)).mtime;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const parseKey = (file: string, text: string): Buffer => {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error(`${file} holds no master key of 32 bytes in base64`);
  return key;
};

/** Writes a key beside its place, down to the disk; answers the path, to be renamed or linked. */
const writeKey = async (place: string, key: Uint8Array): Promise<string> => {
  const path = `${place}.${process.pid}`;
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${Buffer.from(key).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
};

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
