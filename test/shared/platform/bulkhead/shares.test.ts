import { expect, test } from 'vitest';
import { askAs, asNobody, inLine, whoAsks } from '../../../../src/shared/platform/bulkhead/asker.ts';
import { createShares, type SharesOptions } from '../../../../src/shared/platform/bulkhead/shares.ts';

/** Shares whose work runs until the test ends it; `order` names the work that has begun. */
const aWorld = (options: Partial<SharesOptions> = {}) => {
  const refused: string[] = [];
  const shares = createShares({
    total: 8,
    patienceMs: 60_000,
    waitingPerAccount: 1_000,
    onRefused: (taken) => refused.push(taken),
    ...options,
  });
  const order: string[] = [];
  const begin = (accountId: string, key: string = `${order.length}`, name = accountId) => {
    const end = Promise.withResolvers<void>();
    const done = shares.take({ accountId, key: `${accountId}/${key}` }, async () => {
      order.push(name);
      await end.promise;
    });
    return { done, end: end.resolve };
  };
  return { shares, order, refused, begin };
};

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('an account with a thousand tasks gets half of the slots, and another begins at once', async () => {
  const { order, begin } = aWorld();
  const greedy = Array.from({ length: 1_000 }, (_, index) => begin('greedy', `${index}`));
  const modest = begin('modest');
  await settled();
  expect(order).toEqual(['greedy', 'greedy', 'greedy', 'greedy', 'modest']);
  for (const { end } of [...greedy, modest]) end();
  await Promise.all([...greedy, modest].map(({ done }) => done));
  expect(order).toHaveLength(1_001);
});

test('one task of a line runs at a time, and other lines of the account go on', async () => {
  const { order, begin, shares } = aWorld({ perKey: 1 });
  const line = Array.from({ length: 20 }, (_, index) => begin('acme', 'contact', `contact ${index}`));
  const other = begin('acme', 'other', 'other');
  await settled();
  expect(order).toEqual(['contact 0', 'other']);
  expect(shares.waiting()).toBe(19);
  for (const { end } of [...line, other]) end();
  await Promise.all([...line, other].map(({ done }) => done));
  expect(order.slice(2)).toEqual(Array.from({ length: 19 }, (_, index) => `contact ${index + 1}`));
});

test('freed slots serve each account and each of its lines once before any is served twice', async () => {
  const { order, begin } = aWorld({ total: 2, perKey: 1 });
  const first = begin('a', 'x', 'first');
  const waiting = [
    begin('a', 'x', 'a x1'),
    begin('a', 'x', 'a x2'),
    begin('a', 'y', 'a y1'),
    begin('b', 'z', 'b z1'),
    begin('b', 'z', 'b z2'),
  ];
  for (const { end } of waiting) end();
  first.end();
  await Promise.all([first, ...waiting].map(({ done }) => done));
  expect(order[0]).toBe('first');
  expect(order.indexOf('b z1')).toBeLessThan(order.indexOf('a x2'));
  expect(order.indexOf('a y1')).toBeLessThan(order.indexOf('a x2'));
});

test.for([
  ['of one line', { perKey: 1 }, ['acme', 'acme'], 'line'],
  ['of one account', {}, ['acme', 'acme', 'acme', 'acme', 'acme'], 'account'],
  ['of all accounts', { total: 1 }, ['acme', 'other'], 'all'],
] as const)(
  'work out of patience is refused, and told that the slots %s are taken',
  async ([, options, who, taken]) => {
    const { begin, refused } = aWorld({ patienceMs: 10, ...options });
    const begun = who.map((account, index) => begin(account, taken === 'line' ? 'contact' : `${index}`));
    await expect(begun.at(-1)?.done).rejects.toMatchObject({ taken });
    expect(refused).toEqual([taken]);
    for (const { end } of begun) end();
  },
);

test('an account with its full number of waiting tasks is refused the next one at once', async () => {
  const { begin } = aWorld({ perKey: 1, waitingPerAccount: 2 });
  const begun = [begin('acme', 'contact'), begin('acme', 'contact'), begin('acme', 'contact')];
  await expect(begin('acme', 'contact').done).rejects.toMatchObject({ taken: 'line' });
  for (const { end } of begun) end();
  await Promise.all(begun.map(({ done }) => done));
});

test('accounts alternate on a single slot, and failed work passes it on', async () => {
  const { take } = createShares({ total: 1 });
  const order: string[] = [];
  const work = (accountId: string, name: string) =>
    take({ accountId, key: accountId }, async () => {
      order.push(name);
      if (name === 'a2') throw new Error('failed');
    });
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const outcomes = await Promise.allSettled(names.map((name) => work(name.slice(0, 1), name)));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('one account fills half of the waiting room, others still enter, and begun work always does', async () => {
  const { begin, shares } = aWorld({ total: 1, waitingInAll: 8 });
  const running = begin('first');
  const greedy = Array.from({ length: 5 }, (_, index) => begin('greedy', `${index}`));
  await expect(greedy.at(-1)?.done).rejects.toMatchObject({ name: 'NoSlot' });
  const modest = begin('modest');
  const always = shares.take({ accountId: 'greedy', key: 'always' }, async () => 'done', { waitsAlways: true });
  expect(shares.waiting()).toBe(6);
  for (const { end } of [running, ...greedy, modest]) end();
  await Promise.all([running, ...greedy.slice(0, 4), modest].map(({ done }) => done));
  expect(await always).toBe('done');
  const again = [begin('first'), ...Array.from({ length: 4 }, (_, index) => begin('greedy', `${index}`))];
  expect(shares.waiting()).toBe(4);
  for (const { end } of again) end();
  await Promise.all(again.map(({ done }) => done));
});

test('nested code knows its account and line, and work for all accounts knows neither', () => {
  expect(whoAsks()).toEqual({ accountId: '' });
  askAs({ accountId: 'acme' }, () => {
    expect(inLine('contact/1', whoAsks)).toEqual({ accountId: 'acme', line: 'contact/1' });
    expect(inLine(undefined, whoAsks)).toEqual({ accountId: 'acme' });
    expect(asNobody(whoAsks)).toEqual({ accountId: '' });
  });
});
