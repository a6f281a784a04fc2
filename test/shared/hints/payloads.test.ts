import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { topicNames } from '../../../src/shared/facts/topics.ts';
import type { Changed } from '../../../src/shared/hints/gather-topics.ts';
import { readPayload, writePayloads } from '../../../src/shared/hints/payloads.ts';
import { newUuid } from '../../../src/shared/ids.ts';

const [own, other] = [newUuid(), newUuid()];

/** What a process hears of these payloads, with sorted topics. */
const heard = (payloads: readonly string[]): Record<string, string[]> | 'everything' => {
  const all: Record<string, string[]> = {};
  for (const payload of payloads) {
    const changed = readPayload(own, payload);
    if (changed === 'everything') return 'everything';
    for (const [accountId, topics] of changed ?? []) all[accountId] = [...(all[accountId] ?? []), ...topics].sort();
  }
  return all;
};

const show = (changed: Exclude<Changed, 'everything'>) =>
  Object.fromEntries(Array.from(changed, ([accountId, topics]) => [accountId, [...topics].sort()]));

const topicSet = fc.subarray([...topicNames], { minLength: 1 }).map((topics) => new Set(topics));

test('whatever has changed fits the payloads of a notification, and another process hears of all of it', () => {
  const changed = fc.array(fc.tuple(fc.uuid(), topicSet), { maxLength: 300 }).map((entries) => new Map(entries));
  fc.assert(
    fc.property(changed, (given) => {
      const payloads = writePayloads(other, given);
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
      expect(payloads.length).toBeLessThanOrEqual(8);
      const result = heard(payloads);
      expect([show(given), 'everything']).toContainEqual(result);
    }),
    { numRuns: 200 },
  );
});

test('a thousand accounts with the same changes are told apart', () => {
  const given = new Map(Array.from({ length: 1_000 }, () => [newUuid(), new Set(['deliveries', 'events'] as const)]));
  expect(heard(writePayloads(other, given))).toEqual(show(given));
});

test('what fits no eight payloads is everything', () => {
  const given = new Map(
    Array.from({ length: 1_000 }, (_, index) => [
      newUuid(),
      new Set(topicNames.filter((topic, place) => topic === 'deliveries' || (index >> (place % 10)) % 2 === 1)),
    ]),
  );
  expect(writePayloads(other, given)).toHaveLength(1);
  expect(heard(writePayloads(other, given))).toBe('everything');
});

describe('a process', () => {
  test('ignores what it has notified itself', () => {
    const given = new Map([[newUuid(), new Set(['tags'] as const)]]);
    for (const changed of [given, 'everything'] as const)
      for (const payload of writePayloads(own, changed)) expect(readPayload(own, payload)).toBeUndefined();
  });

  test('ignores topics that it does not know, for they are of a later version', () => {
    const accountId = newUuid();
    const payload = JSON.stringify({ from: other, lists: [[['tags', 'broadcasts'], [accountId]]] });
    expect(readPayload(own, payload)).toEqual(new Map([[accountId, new Set(['tags'])]]));
  });

  test('takes what it cannot read for everything', () => {
    for (const payload of ['', '{', '{}', JSON.stringify({ from: other, lists: 'more' })])
      expect(readPayload(own, payload)).toBe('everything');
  });
});
