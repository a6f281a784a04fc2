import { expect, onTestFinished, test } from 'vitest';
import { createJudgeOnThread, judgeAndMap } from '../../../src/shared/external-requests/judge-on-thread.ts';
import type { Mapping } from '../../../src/shared/external-requests/map-response.ts';
import { createThreads, type Threads } from '../../../src/shared/platform/threads/threads.ts';
import { aField } from './builders.ts';
import { longestTurn } from '../../security/longest-turn.ts';

const fields = new Map([aField('names', 'list'), aField('note', 'text'), aField('raw', 'json')]);

const start = () => {
  const threads = createThreads();
  onTestFinished(threads.stop);
  return createJudgeOnThread(threads);
};

const aMapping = (path: string, field = 'note'): Mapping => ({ path, field, on_missing: 'keep' });

const input = (mappings: readonly Mapping[], json: unknown) => ({
  config: { mapping: [...mappings] },
  response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(json)) },
  known: { fields, timeZone: 'UTC', country: null },
  v: 2,
  secrets: ['sk_live_4711'],
});

test('a path that searches gives on a thread what it gives without one', async () => {
  const json = { items: [{ name: 'Ada' }, { name: 'Bo' }], key: 'sk_live_4711' };
  const given = input([aMapping('$.items[*].name', 'names'), aMapping('$..key'), aMapping('$.none')], json);
  const judged = await start()('acme', given);
  expect(judged).toEqual(judgeAndMap(given));
  expect(judged.mapped.fields.map(({ outcome }) => outcome)).toEqual(['set', 'failed', 'kept']);
});

test('a long number keeps its digits on its way from the thread', async () => {
  const given = input([aMapping('$..id', 'raw')], {});
  const body = Buffer.from('{"a":{"id":1234567890123456789},"b":{"id":7}}');
  const { mapped } = await start()('acme', { ...given, response: { ...given.response, body } });
  expect(JSON.stringify(mapped.fields[0])).toContain('"value":[1234567890123456789,7]');
});

/** About a megabyte of a third party, and of the costliest kinds. */
const flat = Array.from({ length: 40_000 }, (_, id) => ({ id, a: [id, id] }));
const nested = Array.from({ length: 900 }, (_, at) => ({ [`k${at}`]: Array.from({ length: 100 }, () => [at]) }));
const words = Array.from({ length: 900 }, (_, at) => 'word '.repeat(200) + at);

test.for<[path: string, json: unknown]>([
  ['$..zzz', flat],
  ['$[::-1][?@>2]', flat],
  ['$..[?length(@.b)>5 && count(@.*)>9]', flat],
  ['$..[?count(@.*.*) > 9]', nested],
  ['$', words],
])('fifty mappings by %s hold up nobody else, and end', async ([path, json]) => {
  const given = input(
    Array.from({ length: 50 }, () => aMapping(path, 'names')),
    json,
  );
  const judgeResponse = start();
  const turns = [await longestTurn(judgeResponse('acme', given)), await longestTurn(judgeResponse('acme', given))];
  expect(Math.min(...turns.map(({ turnMs }) => turnMs))).toBeLessThan(100);
  for (const { result } of turns) expect(result.mapped.fields).toHaveLength(50);
});

test('mappings that take more than a second of CPU time fail with the reason', async () => {
  const given = input(
    Array.from({ length: 50 }, () => aMapping('$..[?count(@.*.*) > 9]')),
    flat,
  );
  const { isSuccess, mapped } = await start()('acme', given);
  expect([isSuccess, mapped.ok]).toEqual([true, false]);
  expect(mapped.fields[0]).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('more than a second') });
});

test('rules that take more than a second of CPU time do not hold, and say so', async () => {
  const rules = Array.from({ length: 10 }, () => ({
    path: '$..[?count(@.*.*) > 9]',
    op: 'not_set' as const,
  }));
  const given = input([], flat);
  const config = { success_when: { match: 'all' as const, rules }, mapping: [aMapping('$.a')] };
  const { isSuccess, unmet } = await start()('acme', { ...given, config });
  expect([isSuccess, unmet?.detail]).toEqual([false, 'success_when: takes more than a second to decide']);
});

test.for<[what: string, mappings: readonly Mapping[], json: unknown, isOnThread: boolean]>([
  ['a path that may lead to many places', [aMapping('$.items[*].name', 'names')], {}, true],
  ['a path that searches', [aMapping('$..key')], {}, true],
  ['paths of many characters', Array.from({ length: 50 }, () => aMapping(`$.${'a'.repeat(50)}`)), {}, true],
  ['a large body', [aMapping('$.a')], { b: 'x'.repeat(70_000) }, true],
  ['a large body of which nothing is mapped', [], { b: 'x'.repeat(70_000) }, false],
  ['a few short paths and a small body', [aMapping('$.a'), aMapping('$.b[0]')], {}, false],
])('%s is mapped on a thread only where that may take long', async ([, mappings, json, isOnThread]) => {
  const threads = createThreads();
  onTestFinished(threads.stop);
  let tasks = 0;
  const run: Threads['run'] = (...task) => {
    tasks += 1;
    return threads.run(...task);
  };
  await createJudgeOnThread({ ...threads, run })('acme', input(mappings, json));
  expect(tasks).toBe(isOnThread ? 1 : 0);
});
