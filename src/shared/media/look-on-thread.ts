import type { Threads } from '../platform/threads/threads.ts';
import type { Task } from '../platform/threads/task.ts';
import { pixelsAtMost, thumbnailSide, type MediaType } from './limits.ts';

/** What is in a file. `thumbnail` is a WebP. */
export type Content = {
  type: MediaType;
  contentType: string;
  width: number | null;
  height: number | null;
  thumbnail: Uint8Array | null;
};

/** Images that every browser shows, and that run nothing. SVG is none of them. */
export const images: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

const sounds: ReadonlySet<string> = new Set([
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/flac',
]);

const films: ReadonlySet<string> = new Set(['video/mp4', 'video/webm', 'video/quicktime', 'video/ogg']);

const unknown = 'application/octet-stream';

/** How long one image may take, in seconds. */
const patienceSeconds = 5;

/** The loaders that libvips may use: every other one is blocked, whatever a file claims to be. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`);

type Input = { bytes: Uint8Array; isWhole: boolean };

/** What the thread does: nothing that a file says of itself is trusted, and what cannot be decoded is a plain file. */
export const lookInto = async ({ bytes, isWhole }: Input): Promise<Content> => {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const contentType = found?.mime.split(';')[0] ?? unknown;
  const plain = { contentType, width: null, height: null, thumbnail: null };
  if (sounds.has(contentType)) return { ...plain, type: 'audio' };
  if (films.has(contentType)) return { ...plain, type: 'video' };
  if (!images.has(contentType) || !isWhole) return { ...plain, type: 'file' };
  if (contentType === 'image/gif' && pixelsOfScreen(bytes) > pixelsAtMost) return { ...plain, type: 'file' };
  const picture = await shrink(bytes).catch(() => undefined);
  return picture ? { type: 'image', contentType, ...picture } : { ...plain, type: 'file' };
};

/** As a GIF says it. The decoder goes by the frames where that is odd, and browsers do not. */
const pixelsOfScreen = (gif: Uint8Array): number => {
  const head = new DataView(gif.buffer, gif.byteOffset, gif.byteLength);
  return head.byteLength < 10 ? 0 : head.getUint16(6, true) * head.getUint16(8, true);
};

const shrink = async (bytes: Uint8Array) => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  const image = sharp(bytes, { limitInputPixels: pixelsAtMost, failOn: 'error', sequentialRead: true });
  const { width, height, autoOrient } = await image.metadata();
  const { data } = await image
    .autoOrient()
    .resize({ width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .timeout({ seconds: patienceSeconds })
    .toBuffer({ resolveWithObject: true });
  return { width: autoOrient.width ?? width, height: autoOrient.height ?? height, thumbnail: new Uint8Array(data) };
};

const task: Task<Input, Content> = {
  module: import.meta.url,
  name: 'lookInto',
  behind: { patienceMs: 20_000 },
};

/** Looks into a file of an account on a thread: one at a time of each account. Undefined while too many of the account wait. */
type LookInto = (accountId: string, input: Input) => Promise<Content | undefined>;

export const createLookInto =
  (threads: Threads): LookInto =>
  async (accountId, input) => {
    const done = await threads.run(accountId, task, input);
    if (done.type === 'done') return done.output;
    // What takes too long to read is kept as it is, and nobody decodes it.
    if (done.type === 'over') return { type: 'file', contentType: unknown, width: null, height: null, thumbnail: null };
    return undefined;
  };
