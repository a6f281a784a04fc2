import { expect, onTestFinished, test } from 'vitest';
import type { Task } from '../../../../src/shared/platform/threads/task.ts';
import { createThreads, type ThreadsOptions } from '../../../../src/shared/platform/threads/threads.ts';

const task = <Input, Output>(name: string): Task<Input, Output> => ({
  module: new URL('tasks.ts', import.meta.url).href,
  name,
});

const behind = (options: { most?: number; patienceMs: number }): Task<number, number> => ({
  ...task<number, number>('double'),
  behind: options,
});

const double = task<number, number>('double');
const spin = task<undefined, never>('spin');

const start = (options: ThreadsOptions = {}) => {
  const threads = createThreads({ cpuMs: 300, ...options });
  onTestFinished(threads.stop);
  return threads;
};

test('a task answers what it makes of its input, and throws what it throws', async () => {
  const { run } = start();
  expect(await run('acme', double, 21)).toEqual({ type: 'done', output: 42 });
  await expect(run('acme', task<string, never>('fail'), 'no')).rejects.toThrow('no');
  expect(await run('acme', double, 2)).toEqual({ type: 'done', output: 4 });
});

test('a task that never ends is over after its CPU time, and its thread takes the next task', async () => {
  const { run } = start({ threads: 1 });
  expect(await run('acme', spin, undefined)).toEqual({ type: 'over' });
  expect(await run('acme', double, 21)).toEqual({ type: 'done', output: 42 });
});

test('an account has one thread at a time: another account finds the second, however many tasks wait', async () => {
  const { run } = start();
  const ended: string[] = [];
  const spins = Array.from({ length: 4 }, () => run('acme', spin, undefined).then(() => ended.push('acme')));
  await run('other', double, 21).then(() => ended.push('other'));
  await run('other', double, 21).then(() => ended.push('other'));
  expect(ended.filter((account) => account === 'other')).toHaveLength(2);
  expect(ended.filter((account) => account === 'acme').length).toBeLessThan(4);
  await Promise.all(spins);
});

test('an account with half of all waiting tasks is busy, and others are not', async () => {
  const { run } = start({ maxWaiting: 4 });
  const done = await Promise.all([1, 2, 3, 4].map((number) => run('acme', double, number)));
  expect(done.map(({ type }) => type)).toEqual(['done', 'done', 'done', 'busy']);
  expect(await run('acme', double, 21)).toEqual({ type: 'done', output: 42 });
});

test('tasks behind others begin after all others of their account, and one too many is busy at once', async () => {
  const { run } = start();
  const order: string[] = [];
  const begin = (name: string, work: Task<number, number>) =>
    run('acme', work, 1).then(({ type }) => order.push(`${name} ${type}`));
  const first = run('acme', spin, undefined).then(() => order.push('first'));
  const bulk = behind({ most: 2, patienceMs: 60_000 });
  await Promise.all([first, ...['a', 'b', 'c'].map((name) => begin(name, bulk)), begin('urgent', double)]);
  expect(order).toEqual(['c busy', 'first', 'urgent done', 'a done', 'b done']);
});

test('a task behind others is busy after its patience, and its place is free again', async () => {
  const { run } = start();
  const first = run('acme', spin, undefined);
  expect(await run('acme', behind({ most: 1, patienceMs: 1 }), 1)).toEqual({ type: 'busy' });
  const next = run('acme', behind({ most: 1, patienceMs: 60_000 }), 1);
  expect(await first).toEqual({ type: 'over' });
  expect(await next).toEqual({ type: 'done', output: 2 });
});
