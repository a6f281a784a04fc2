import { expect, test } from 'vitest';
import { newUuid } from '../../../src/shared/ids.ts';
import { readTyping, writeTyping } from '../../../src/shared/typing/payloads.ts';

const aBeat = () => ({ accountId: newUuid(), conversationId: newUuid(), isTyping: false });

test('beats of contacts who type come through as they were, in payloads that PostgreSQL takes', () => {
  const beats = Array.from({ length: 200 }, aBeat);
  const payloads = writeTyping(newUuid(), beats);
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
  expect(payloads.flatMap((payload) => readTyping(newUuid(), payload))).toEqual(beats);
});

test('beats that this process has told itself, and what cannot be read, are nothing', () => {
  const own = newUuid();
  const [payload = ''] = writeTyping(own, [aBeat()]);
  expect(readTyping(own, payload)).toEqual([]);
  for (const broken of ['', '{', '{}', '{"from":1,"beats":[]}', payload.replace(own, 'nobody')])
    expect(readTyping(newUuid(), broken)).toEqual([]);
});
