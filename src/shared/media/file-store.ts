import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../platform/error-code.ts';
import type { MediaStore } from './store.ts';

/** The folder of all files of an installation. */
export const mediaFolder = (dataDir: string): string => join(dataDir, 'media');

/** Only we make keys; this guards the folder where one was made of what somebody gave. */
const key = /^[\da-f-]{36}\/[\da-z-]{36,60}$/;

/** Keeps files in `DATA_DIR/media`, which all processes of an installation share. */
export const createFileStore = (dataDir: string): MediaStore => {
  const folder = mediaFolder(dataDir);
  const pathOf = (given: string): string => {
    if (!key.test(given)) throw new TypeError('not a key of a file');
    return join(folder, given);
  };
  const partOf = (path: string): string => `${path}.part`;
  return {
    put: async (given, chunks) => {
      const path = pathOf(given);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        // `flush` has the bytes on the disk before the row says that they are.
        await pipeline(chunks, createWriteStream(partOf(path), { mode: 0o600, flush: true }));
        await rename(partOf(path), path);
      } catch (error) {
        await rm(partOf(path), { force: true });
        throw error;
      }
    },
    open: async (given, range) => {
      try {
        const handle = await open(pathOf(given), 'r');
        return handle.createReadStream(range);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    remove: async (given) => {
      const path = pathOf(given);
      await Promise.all([rm(path, { force: true }), rm(partOf(path), { force: true })]);
    },
  };
};
