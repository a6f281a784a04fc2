import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createExcerpt } from '../../../../src/shared/platform/egress/excerpt.ts';

test('keeps the first bytes of whatever comes in, in order, and says when something did not fit', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), fc.integer({ min: 0, max: 60 }), (chunks, maxBytes) => {
      const excerpt = createExcerpt(maxBytes);
      const whole = Buffer.concat(chunks);
      const fitted = chunks.map((chunk) => excerpt.add(chunk)).every(Boolean);
      expect(Buffer.from(excerpt.bytes())).toEqual(whole.subarray(0, maxBytes));
      expect(fitted).toBe(whole.length <= maxBytes);
    }),
  );
});
