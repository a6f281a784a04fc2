import { expect, test } from 'vitest';
import { createParseSlots } from '../../src/api/middleware/large-bodies.ts';

const large = Buffer.alloc(100_000);

/** Bodies that take some milliseconds to parse; `parsed` has the name of each, and when that was. */
const parsing = (parseInSlot = createParseSlots()) => {
  const parsed: { name: string; at: number }[] = [];
  const parse = async (accountId: string, name: string, bytes = large): Promise<string> =>
    parseInSlot(accountId, bytes, () => {
      const at = performance.now();
      parsed.push({ name, at });
      while (performance.now() - at < 20);
      return name;
    });
  return { parsed, parse };
};

test('the large bodies of an account are parsed one after the other, with a rest after each', async () => {
  const { parsed, parse } = parsing();
  await Promise.all(['one', 'two', 'three'].map((name) => parse('greedy', name)));
  const [one, two, three] = parsed.map(({ at }) => at);
  expect(parsed.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  expect(Number(two) - Number(one)).toBeGreaterThanOrEqual(79);
  expect(Number(three) - Number(two)).toBeGreaterThanOrEqual(79);
});

test("another account's large body, and every small one, waits for none of those", async () => {
  const { parsed, parse } = parsing();
  const all = Array.from({ length: 5 }, (_, index) => parse('greedy', `large ${index}`));
  await parse('greedy', 'small', Buffer.alloc(1_000));
  await parse('modest', 'other');
  expect(parsed.map(({ name }) => name)).toEqual(['large 0', 'small', 'other']);
  await Promise.all(all);
});

test('large bodies of an account that wait for too long, or are too many, are refused and not parsed', async () => {
  const { parsed, parse } = parsing(createParseSlots({ patienceMs: 10 }));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => parse('greedy', `large ${index}`)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', ...Array.from({ length: 59 }, () => 'rejected')]);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['rate_limited']));
  expect(parsed).toHaveLength(1);
});

test('a body that cannot be parsed is refused as what it is, and the next one is parsed', async () => {
  const parseInSlot = createParseSlots();
  const failing = async () =>
    parseInSlot('acme', large, () => {
      throw new SyntaxError('no JSON');
    });
  await expect(failing()).rejects.toThrow('no JSON');
  expect(await parseInSlot('acme', large, () => 'parsed')).toBe('parsed');
});
