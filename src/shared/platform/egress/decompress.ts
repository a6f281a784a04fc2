import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type InputType } from 'node:zlib';
import { codeOf } from '../error-code.ts';

/** The encodings that a request may offer, as `Accept-Encoding` names them. */
export const acceptEncoding = 'gzip, deflate, br';

export type Decompressed =
  | { ok: true; body: Uint8Array }
  /** `size`: more than may be kept. `encoding`: not what it says that it is, or a coding that we did not offer. */
  | { ok: false; reason: 'size' | 'encoding' };

type Decoder = (body: InputType, options: { maxOutputLength: number }) => Promise<Uint8Array>;

/** `deflate` means zlib's format (RFC 9110), and many servers send it without zlib's header. */
const inflateAny: Decoder = (body, options) =>
  promisify(inflate)(body, options).catch((error: unknown) => {
    if (isTooLarge(error)) throw error;
    return promisify(inflateRaw)(body, options);
  });

const decoders = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', inflateAny],
  ['br', promisify(brotliDecompress)],
]);

/** Codings that are registered (IANA) and not offered. Every other name, such as `utf-8`, says nothing of how a body is coded. */
const notOffered = ['aes128gcm', 'compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'x-compress', 'zstd'];

/** Decodes a whole body by its `Content-Encoding`, one encoding at most, to `maxBytes` at most: more is never made. */
export const decompress = async (
  body: Uint8Array,
  { encoding, maxBytes }: { encoding: string | undefined; maxBytes: number },
): Promise<Decompressed> => {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  const [coding, ...others] = names.filter((name) => decoders.has(name) || notOffered.includes(name));
  if (body.length === 0 || coding === undefined) return { ok: true, body };
  const decode = decoders.get(coding);
  if (!decode || others.length > 0) return { ok: false, reason: 'encoding' };
  try {
    return { ok: true, body: await decode(body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    return { ok: false, reason: isTooLarge(error) ? 'size' : 'encoding' };
  }
};

const isTooLarge = (error: unknown): boolean => codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
