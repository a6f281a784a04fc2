import { expect, test } from 'vitest';
import { cleanName } from '../../../src/shared/media/clean-name.ts';

const names: readonly (readonly [given: string | undefined, clean: string])[] = [
  [undefined, 'file'],
  ['', 'file'],
  ['..', 'file'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\photo.png', 'photo.png'],
  ['/', 'file'],
  ['.htaccess', 'htaccess'],
  ['a\u0000b\r\nSet-Cookie: x.txt', 'abSet-Cookie_ x.txt'],
  ['invoice\u202Egpj.exe', 'invoicegpj.exe'],
  ['zero\u200Bwidth\u2066.pdf', 'zerowidth.pdf'],
  ['a"b<c>d|e?f*.txt', 'a_b_c_d_e_f_.txt'],
  ['  two   words .pdf ', 'two words .pdf'],
  ['Ünïcödé 写真.jpg', 'Ünïcödé 写真.jpg'],
  ['half\uD800.txt', 'half.txt'],
];

test.each(names)('the name %j of a file becomes %j', (given, clean) => {
  expect(cleanName(given)).toBe(clean);
});

test('a name of a file has at most 255 bytes, ends between characters, and keeps its ending', () => {
  const long = cleanName(`${'写'.repeat(300)}.jpeg`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
  expect(long).toMatch(/^写+\.jpeg$/);
  expect(Buffer.byteLength(cleanName('😀'.repeat(300)))).toBeLessThanOrEqual(255);
  expect(Buffer.byteLength(cleanName(`a.${'x'.repeat(400)}`))).toBeLessThanOrEqual(255);
});
