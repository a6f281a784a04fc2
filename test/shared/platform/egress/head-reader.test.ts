import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerError } from '../../../../src/shared/platform/egress/answer-error.ts';
import { createHeadReader } from '../../../../src/shared/platform/egress/head-reader.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';

/** Reads these bytes in pieces that end at these places. */
function readInPieces(bytes: Buffer, ends: readonly number[]): { given: string; headers: unknown } {
  const heads = createHeadReader();
  heads.expectHead();
  const places = [0, ...ends.map((end) => end % bytes.length).toSorted((a, b) => a - b), bytes.length];
  const given = places.slice(1).map((end, i) => heads.read(bytes.subarray(places[i], end)) ?? Buffer.of());
  return { given: Buffer.concat(given).toString('latin1'), headers: heads.headers };
}

test('an answer is read the same in whichever pieces it arrives', () => {
  const bytes = Buffer.from(
    '\r\nHTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 103\n\nHTTP/1.1 200 OK\r\nx-a: 1\r\n 2\r\nContent-Length: 4\r\n\r\n\r\n\r\n',
  );
  const whole = {
    given: 'HTTP/1.1 200 \r\ncontent-length: 4\r\n\r\n\r\n\r\n',
    headers: { 'x-a': '1 2', 'content-length': '4' },
  };
  expect(readInPieces(bytes, [])).toEqual(whole);
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 20 }), (ends) => {
      expect(readInPieces(bytes, ends)).toEqual(whole);
    }),
  );
});

/** The head that the parser gets of this answer. */
function headOf(answer: string): string | undefined {
  try {
    return readInPieces(Buffer.from(answer), []).given.split('\r\n\r\n', 1)[0];
  } catch (error) {
    if (error instanceof AnswerError) return 'refused';
    throw error;
  }
}

test('bytes of any kind are read or refused, never more than 64 kB of them kept', () => {
  const line = fc.string({ unit: 'binary', maxLength: 50 });
  const text = fc.array(line, { maxLength: 20 }).map((lines) => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`);
  fc.assert(
    fc.property(text, (answer) => {
      expect(headOf(answer)).toMatch(/^(?:refused|HTTP\/1\.[01] \d{3} (?:\r\n[!-~]+: [\t -~\x80-\xff]*)*)$/);
    }),
  );
});

test.each([
  ['one header thousands of times', 'a:\n'.repeat(21_000)],
  ['thousands of lines that are no header', `${'a\n'.repeat(32_000)}:\n`],
  ['a line of carriage returns', `${'\r'.repeat(64_000)}a\n`],
  ['a blank that does not end', ' '.repeat(64_000)],
  ['thousands of folds', 'a:\n \n \n \n'.repeat(7_000)],
  ['thousands of lengths', 'content-length: 1\n'.repeat(3_400)],
])('the time for a head of %s grows with its size only, also byte by byte', (_what, lines) => {
  const bytes = Buffer.from(`HTTP/1.1 200 OK\n${lines}\n`, 'latin1');
  const everywhere = Array.from(bytes.keys());
  expect(cpuMsOf(() => readInPieces(bytes, []))).toBeLessThan(250);
  expect(cpuMsOf(() => readInPieces(bytes, everywhere))).toBeLessThan(1_000);
});
