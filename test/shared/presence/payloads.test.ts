import { expect, test } from 'vitest';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { readBeats, writeBeats } from '../../../src/shared/presence/payloads.ts';
import type { Beat } from '../../../src/shared/presence/register.ts';

const aBeat = (): Beat => ({
  accountId: newUuid(),
  userId: newUuid(),
  sessionId: newUuid(),
  tab: 't'.repeat(40),
  subject: showId('conversation', newUuid()),
  part: 'p'.repeat(64),
  hasLeft: false,
});

test('beats come through as they were, in payloads that PostgreSQL takes', () => {
  const beats = Array.from({ length: 100 }, aBeat);
  const payloads = writeBeats(newUuid(), beats);
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
  expect(payloads.flatMap((payload) => readBeats(newUuid(), payload))).toEqual(beats);
});

test('what this process has told itself, and what cannot be read, is nothing', () => {
  const own = newUuid();
  const [payload = ''] = writeBeats(own, [aBeat()]);
  expect(readBeats(own, payload)).toEqual([]);
  for (const broken of ['', '{', '{}', '{"from":1,"beats":[]}', payload.replace(own, 'nobody')])
    expect(readBeats(newUuid(), broken)).toEqual([]);
});
