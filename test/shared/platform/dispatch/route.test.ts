import { expect, test, vi, onTestFinished } from 'vitest';
import { createRoute } from '../../../../src/shared/platform/dispatch/route.ts';

/** A route whose clock the test moves. */
const aRoute = () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const temporal = { isConnected: true, answers: true };
  const route = createRoute('unless-behind', {
    isConnected: () => temporal.isConnected,
    answers: async () => temporal.answers,
  });
  /** So many starts that wait; answers how many of them have gone straight. */
  const wait = (count: number) => {
    let gone = 0;
    const all = Array.from({ length: count }, () => route.wait(() => ((gone += 1), true)));
    return { gone: () => gone, end: () => all.map(({ end }) => end()) };
  };
  return { route, temporal, wait };
};

test('fifty starts that wait for long, or a thousand that wait for less than a second, are not behind', async () => {
  const { route, wait } = aRoute();
  const few = wait(50);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(route.isStraight()).toBe(false);
  few.end();
  const many = wait(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(route.isStraight()).toBe(false);
  expect(many.gone()).toBe(0);
  expect(many.end()).not.toContain(false);
});

test('what waits when starts fall behind goes straight at once, and what comes later until they have kept up for 5 s', async () => {
  const { route, wait } = aRoute();
  const waiting = wait(51);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(waiting.gone()).toBe(51);
  expect(waiting.end()).not.toContain(true);
  expect(route.isStraight()).toBe(true);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(route.isStraight()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(route.isStraight()).toBe(false);
});

test('a dozen starts that wait for a tenth of a second are behind while starts are on trial, and not before or after', async () => {
  const { route, wait } = aRoute();
  const aDozen = async (): Promise<boolean> => {
    const dozen = wait(12);
    await vi.advanceTimersByTimeAsync(400);
    dozen.end();
    return dozen.gone() > 0;
  };
  expect(await aDozen()).toBe(false);
  wait(51);
  await vi.advanceTimersByTimeAsync(1_500);
  while (route.isStraight()) await vi.advanceTimersByTimeAsync(100);
  const few = wait(10);
  await vi.advanceTimersByTimeAsync(1_000);
  few.end();
  expect(route.isStraight()).toBe(false);
  expect(await aDozen()).toBe(true);
  while (route.isStraight()) await vi.advanceTimersByTimeAsync(100);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await aDozen()).toBe(false);
});

test('starts that fall behind again and again are left alone for longer, a minute at most', async () => {
  const { route, wait } = aRoute();
  const straightFor = async (): Promise<number> => {
    wait(51);
    while (!route.isStraight()) await vi.advanceTimersByTimeAsync(100);
    const sinceMs = performance.now();
    while (route.isStraight()) await vi.advanceTimersByTimeAsync(100);
    return Math.round((performance.now() - sinceMs) / 1_000);
  };
  const times: number[] = [];
  for (let time = 0; time < 6; time += 1) times.push(await straightFor());
  expect(times).toEqual([5, 10, 20, 40, 60, 60]);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await straightFor()).toBe(5);
});

test('while Temporal is away everything goes straight; when it answers again, by workflows after 5 s', async () => {
  const { route, temporal, wait } = aRoute();
  temporal.answers = false;
  const waiting = wait(1);
  route.failed();
  expect(waiting.gone()).toBe(1);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(route.isStraight()).toBe(true);
  temporal.answers = true;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(route.isStraight()).toBe(false);
});

test('a start that Temporal takes says that it is back, though it has not answered otherwise', async () => {
  const { route, temporal } = aRoute();
  temporal.answers = false;
  route.failed();
  route.started();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(route.isStraight()).toBe(false);
});

test('a process that has no connection to Temporal sends straight at once', () => {
  const { route, temporal } = aRoute();
  temporal.isConnected = false;
  expect(route.isStraight()).toBe(true);
});

test('nothing goes straight where every delivery has a workflow, and everything where only failures have one', () => {
  const deps = { isConnected: () => false, answers: async () => false };
  expect(createRoute('always', deps).isStraight()).toBe(false);
  expect(createRoute('on-failure', { ...deps, isConnected: () => true }).isStraight()).toBe(true);
});
