import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptEncoding, decompress } from '../../../../src/shared/platform/egress/decompress.ts';

const text = Buffer.from('{"left": 3}'.repeat(50));
const maxBytes = 1_000;

test.for([
  [undefined, text],
  ['identity', text],
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  [' br ', brotliCompressSync(text)],
  ['utf-8', text],
  ['UTF-8, gzip', gzipSync(text)],
  ['aws-chunked', text],
  ['none', text],
  ['__proto__', text],
] as const)('a body in the encoding %o is decoded', async ([encoding, body]) => {
  const decoded = await decompress(body, { encoding, maxBytes });
  expect(decoded.ok && Buffer.from(decoded.body).equals(text)).toBe(true);
});

test('an empty body is none in any encoding', async () => {
  expect(await decompress(Buffer.of(), { encoding: 'gzip', maxBytes })).toEqual({ ok: true, body: Buffer.of() });
});

test.for([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
] as const)('a bomb of %s is not unpacked beyond the size', async ([encoding, compress]) => {
  const bomb = compress(Buffer.alloc(50_000_000));
  const before = process.memoryUsage().arrayBuffers;
  expect(await decompress(bomb, { encoding, maxBytes })).toEqual({ ok: false, reason: 'size' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
});

test('a body of exactly the size is whole, one byte more is too large', async () => {
  const of = (length: number) => decompress(gzipSync(Buffer.alloc(length)), { encoding: 'gzip', maxBytes });
  expect(await of(1_000)).toMatchObject({ ok: true });
  expect(await of(1_001)).toEqual({ ok: false, reason: 'size' });
});

test.for([
  ['gzip', Buffer.from('no gzip')],
  ['gzip', gzipSync(text).subarray(0, -9)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
  ['zstd', text],
] as const)(
  'what is not in the encoding %o, or in one that nobody asked for, is told as such',
  async ([encoding, body]) => {
    expect(await decompress(body, { encoding, maxBytes })).toEqual({ ok: false, reason: 'encoding' });
  },
);

test('what is offered can be decoded', () => {
  expect(acceptEncoding.split(', ')).toEqual(['gzip', 'deflate', 'br']);
});
