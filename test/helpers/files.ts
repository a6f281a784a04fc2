import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Pictures of one color. */
export const aPicture = (
  format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png',
  { width, height }: { width: number; height: number } = { width: 600, height: 300 },
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .toFormat(format)
    .toBuffer();

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** A PNG of few bytes that says that it has very many pixels. */
export const aPixelBomb = (side = 60_000): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1024))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A GIF of frames of one pixel each, on a screen that says it is so wide and high. */
export const aGifOfManyFrames = (frames: number, side = 1): Buffer => {
  const [size, screen] = [Buffer.alloc(4), Buffer.from([0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff])];
  size.writeUInt16LE(side, 0);
  size.writeUInt16LE(side, 2);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    screen,
    ...Array<Buffer>(frames).fill(frame),
    Buffer.from([0x3b]),
  ]);
};

/** An animated WebP of frames of one pixel each. */
export const aWebpOfManyFrames = (frames: number): Promise<Buffer> => {
  const pixels = Buffer.from(Array.from({ length: frames * 3 }, (_, index) => (index * 7) % 256));
  const raw = { width: 1, height: frames, channels: 3 as const, pageHeight: 1 };
  return sharp(pixels, { raw }).webp().toBuffer();
};

/** The head of an MP3 and of an MP4, and silence. */
export const aSound = (): Buffer =>
  Buffer.concat([
    Buffer.from('ID3\u0003\u0000\u0000\u0000\u0000\u0000\u0000', 'latin1'),
    Buffer.from([0xff, 0xfb, 0x90, 0x64]),
    Buffer.alloc(2_000),
  ]);

/** A second of silence that browsers play. */
export const aWave = (): Buffer => {
  const [rate, head] = [8_000, Buffer.alloc(44)];
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + rate, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(rate, 40);
  return Buffer.concat([head, Buffer.alloc(rate, 128)]);
};

/** A zip that would be large once unpacked. */
export const aZipBomb = (): Buffer => {
  const packed = deflateSync(Buffer.alloc(5_000_000)).subarray(2, -4);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(0xfffffffe, 22);
  head.writeUInt16LE(1, 26);
  return Buffer.concat([head, Buffer.from('a'), packed]);
};
