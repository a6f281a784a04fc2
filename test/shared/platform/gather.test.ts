import { expect, test } from 'vitest';
import { createGathering } from '../../../src/shared/platform/gather.ts';

/** A gathering whose batches end when the test lets them. */
const aGathering = ({
  most = 10,
  atOnce = 1,
  key,
}: { most?: number; atOnce?: number; key?: (item: string) => string } = {}) => {
  const batches: string[][] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const work = async (items: readonly string[]) => {
    const end = Promise.withResolvers<void>();
    batches.push([...items]);
    ends.push(end);
    await end.promise;
    return (item: string) => `answer to ${item}`;
  };
  const { ask } = createGathering<string, string>({
    most,
    atOnce,
    ...(key && { key }),
    one: async (item) => (await work([item]))(item),
    many: work,
  });
  const begun = async (count: number): Promise<void> => {
    await expect.poll(() => batches.length, { timeout: 60_000 }).toBe(count);
  };
  return { ask, batches, ends, begun };
};

test('an item alone does not wait for others, and what comes meanwhile goes together', async () => {
  const { ask, batches, ends, begun } = aGathering();
  const first = ask('acme', 'a');
  await begun(1);
  const others = ['b', 'c'].map((item) => ask('acme', item));
  ends[0]?.resolve();
  expect(await first).toBe('answer to a');
  await begun(2);
  ends[1]?.resolve();
  expect(await Promise.all(others)).toEqual(['answer to b', 'answer to c']);
  expect(batches).toEqual([['a'], ['b', 'c']]);
});

test('each account that waits has one item in a batch before any has its second', async () => {
  const { ask, batches, ends, begun } = aGathering({ most: 3 });
  const asked = [
    ...['a1', 'a2', 'a3', 'a4'].map((item) => ask('acme', item)),
    ...['b1', 'b2'].map((item) => ask('bell', item)),
  ];
  for (const count of [1, 2]) {
    await begun(count);
    ends[count - 1]?.resolve();
  }
  await Promise.all(asked);
  expect(batches).toEqual([
    ['a1', 'b1', 'a2'],
    ['b2', 'a3', 'a4'],
  ]);
});

test('a batch that hangs holds up the next one only when so many hang as are under way at once', async () => {
  const { ask, batches, ends, begun } = aGathering({ atOnce: 2 });
  const hanging = ask('acme', 'a');
  await begun(1);
  const next = ask('bell', 'b');
  await begun(2);
  const late = ask('bell', 'c');
  ends[1]?.resolve();
  expect(await next).toBe('answer to b');
  await begun(3);
  for (const end of ends) end.resolve();
  expect(await Promise.all([hanging, late])).toEqual(['answer to a', 'answer to c']);
  expect(batches).toEqual([['a'], ['b'], ['c']]);
});

test('who asked for a batch that fails hears why, and the next batch goes on', async () => {
  const { ask, ends, begun } = aGathering();
  const failing = Promise.allSettled(['a', 'b'].map((item) => ask('acme', item)));
  await begun(1);
  ends[0]?.reject(new Error('refused'));
  expect((await failing).map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
    'Error: refused',
    'Error: refused',
  ]);
  const next = ask('acme', 'c');
  await begun(2);
  ends[1]?.resolve();
  expect(await next).toBe('answer to c');
});

test('items of the same key are never in two batches under way, and go together in the next one', async () => {
  const { ask, batches, ends, begun } = aGathering({ atOnce: 2, key: (item) => item.charAt(0) });
  const asked = [ask('acme', 'a1')];
  await begun(1);
  asked.push(...['a2', 'b1', 'a3'].map((item) => ask('acme', item)));
  await begun(2);
  expect(batches).toEqual([['a1'], ['b1']]);
  ends[0]?.resolve();
  await begun(3);
  asked.push(ask('acme', 'b2'));
  for (const end of ends) end.resolve();
  await begun(4);
  ends[3]?.resolve();
  await Promise.all(asked);
  expect(batches).toEqual([['a1'], ['b1'], ['a2', 'a3'], ['b2']]);
});
