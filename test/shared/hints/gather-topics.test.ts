import { expect, onTestFinished, test, vi } from 'vitest';
import { topicNames, type Topic } from '../../../src/shared/facts/topics.ts';
import { accountsAtMost, gatherTopics, type Changed, type Pace } from '../../../src/shared/hints/gather-topics.ts';

const hourMs = 3_600_000;

/** Gathers by the test's own clock. `handed` are the hand-overs so far, with the time of each. */
const start = (pace: Pace, hand: (changed: Changed) => void | Promise<void> = () => {}) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const handed: { atMs: number; changed: Changed }[] = [];
  const begunMs = performance.now();
  const gathering = gatherTopics({
    pace,
    hand: (changed) => {
      handed.push({ atMs: Math.round(performance.now() - begunMs), changed });
      return hand(changed);
    },
  });
  return { gathering, handed, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
};

const of = (accountId: string, ...topics: Topic[]): Changed => new Map([[accountId, new Set(topics)]]);

test('nothing is handed over while nothing is told', async () => {
  const { handed, pass, gathering } = start({ talkMs: 20, listsMs: 1_000 });
  await pass(hourMs);
  await gathering.stop();
  expect(handed).toEqual([]);
});

test('what is told after a pause is handed over within 20 ms, and what comes meanwhile with it', async () => {
  const { handed, pass, gathering } = start({ talkMs: 20, listsMs: 1_000 });
  gathering.add(of('a', 'deliveries'));
  await pass(19);
  gathering.add(of('a', 'deliveries', 'tags'));
  gathering.add(of('b', 'tags'));
  await pass(1);
  const changed = new Map([
    ['a', new Set(['deliveries', 'tags'])],
    ['b', new Set(['tags'])],
  ]);
  expect(handed).toEqual([{ atMs: 20, changed }]);
});

test('200 changes a second are one hand-over a second, those of messages one each 20 ms', async () => {
  const { handed, pass, gathering } = start({ talkMs: 20, listsMs: 1_000 });
  for (let told = 0; told < 600; told += 1) {
    gathering.add(of('a', 'deliveries', 'messages'));
    await pass(5);
  }
  const times = (topic: Topic) =>
    handed.flatMap(({ atMs, changed }) => (changed !== 'everything' && changed.get('a')?.has(topic) ? [atMs] : []));
  expect(times('deliveries')).toEqual([20, 1_020, 2_020]);
  const ofMessages = times('messages');
  expect(ofMessages).toHaveLength(150);
  for (const [index, atMs] of ofMessages.entries()) expect(atMs - (ofMessages[index - 1] ?? 0)).toBe(20);
});

test('of more accounts than are told apart everything is handed over, and no more is kept', async () => {
  const { handed, pass, gathering } = start({ talkMs: hourMs, listsMs: 1_000 });
  for (let account = 0; account <= accountsAtMost * 2; account += 1) gathering.add(of(`${account}`, 'tags'));
  await pass(20);
  expect(handed.map(({ changed }) => changed)).toEqual(['everything']);
  gathering.add(of('a', 'tags'));
  await pass(1_000);
  expect(handed.at(-1)?.changed).toEqual(of('a', 'tags'));
});

test('what a hand-over that fails has not told is handed over a second later, with what came since', async () => {
  let fails = true;
  const { handed, pass, gathering } = start({ talkMs: 20, listsMs: 20 }, async () => {
    if (fails) throw new Error('PostgreSQL is away');
  });
  gathering.add(of('a', 'tags'));
  await pass(20);
  gathering.add(of('b', 'tags'));
  await pass(999);
  expect(handed).toHaveLength(1);
  fails = false;
  await pass(1);
  const both = new Map([
    ['a', new Set(['tags'])],
    ['b', new Set(['tags'])],
  ]);
  expect(handed.at(-1)?.changed).toEqual(both);
  await pass(hourMs);
  expect(handed).toHaveLength(2);
});

test('one hand-over is under way at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { handed, pass, gathering } = start({ talkMs: 20, listsMs: 20 }, () => promise);
  gathering.add(of('a', 'tags'));
  await pass(20);
  gathering.add(of('a', 'flows'));
  await pass(hourMs);
  expect(handed).toHaveLength(1);
  resolve();
  await pass(20);
  expect(handed.map(({ changed }) => changed)).toEqual([of('a', 'tags'), of('a', 'flows')]);
});

test('what waits at the end is handed over, and what is dropped is not', async () => {
  const { handed, gathering } = start({ talkMs: hourMs, listsMs: hourMs });
  gathering.add('everything');
  gathering.drop();
  gathering.add(of('a', ...topicNames));
  await gathering.stop();
  expect(handed).toHaveLength(2);
  expect(handed.map(({ changed }) => changed)).not.toContain('everything');
});
