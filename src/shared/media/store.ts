import type { Readable } from 'node:stream';

/** Which bytes of a file, both included. */
export type ByteRange = { start: number; end: number };

/** Where files are. A key has letters, digits, `-` and `/`. */
export type MediaStore = {
  /** Writes a file whole, or not at all: what `chunks` throws is thrown. A second time it replaces the first. */
  put: (key: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Undefined where there is no such file. */
  open: (key: string, range?: ByteRange) => Promise<Readable | undefined>;
  /** Removes a file, and what was written of it; nothing where there is none. */
  remove: (key: string) => Promise<void>;
};

/** The keys of a file and its thumbnail; ids are UUIDs. */
export const keysOf = ({ accountId, id }: { accountId: string; id: string }) => ({
  file: `${accountId}/${id}`,
  thumbnail: `${accountId}/${id}-thumbnail`,
});

/** The bytes of a file, at most `most` of them. Undefined where there is no such file. */
export const readHead = async (store: MediaStore, key: string, most: number): Promise<Buffer | undefined> => {
  const stream = await store.open(key, { start: 0, end: most - 1 });
  return stream && Buffer.concat(await stream.toArray());
};
