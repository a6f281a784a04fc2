import { describe, expect, test } from 'vitest';
import { talksAtMost, type Talk } from '../../../src/shared/facts/talked.ts';
import { gatherTalks, type Talks } from '../../../src/shared/hints/gather-talks.ts';
import { readTalks, writeTalks } from '../../../src/shared/hints/talk-payloads.ts';
import { newUuid } from '../../../src/shared/ids.ts';

const [own, other] = [newUuid(), newUuid()];
const aTalk = (revision = Number.MAX_SAFE_INTEGER): Talk => ({
  accountId: newUuid(),
  conversationId: newUuid(),
  revision,
});

describe('payloads', () => {
  test('as many conversations as are gathered are read as they were written, each payload below 8,000 bytes', () => {
    const talks = Array.from({ length: talksAtMost }, () => aTalk());
    const payloads = writeTalks(other, talks);
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
    expect(payloads.map((payload) => readTalks(own, payload)).flat()).toEqual(talks);
  });

  test('everything is read as everything, and so is what cannot be read; what the process wrote itself is nothing', () => {
    expect(writeTalks(other, 'everything').map((payload) => readTalks(own, payload))).toEqual(['everything']);
    expect(readTalks(own, 'no JSON')).toBe('everything');
    expect(readTalks(own, JSON.stringify({ from: other, talks: [['no id']] }))).toBe('everything');
    expect(writeTalks(own, [aTalk()]).map((payload) => readTalks(own, payload))).toEqual([undefined]);
  });
});

describe('gathering', () => {
  const gather = async (all: readonly Talks[]): Promise<Talks[]> => {
    const handed: Talks[] = [];
    const gathering = gatherTalks({ hand: (talks) => void handed.push(talks), everyMs: 3_600_000 });
    for (const talks of all) gathering.add(talks);
    await gathering.stop();
    return handed;
  };

  test('a conversation that changes several times is handed over once, with its latest revision', async () => {
    const talk = aTalk(3);
    expect(await gather([[talk], [{ ...talk, revision: 5 }], [{ ...talk, revision: 4 }]])).toEqual([
      [{ ...talk, revision: 5 }],
    ]);
  });

  test('more conversations than are kept are handed over as everything', async () => {
    expect(await gather([Array.from({ length: talksAtMost + 1 }, () => aTalk())])).toEqual(['everything']);
    expect(await gather([[aTalk()], 'everything', [aTalk()]])).toEqual(['everything']);
  });
});
