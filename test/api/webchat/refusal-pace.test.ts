import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createRefusalPace } from '../../../src/api/webchat/refusal-pace.ts';

const anAnswer = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

/** Refuses so many at once. Resolves with when each went out, in ms from the first on. */
const refuse = (pace: ReturnType<typeof createRefusalPace>, channel: string, count: number): Promise<number[]> => {
  const since = performance.now();
  const all = Array.from({ length: count }, async () => {
    await pace(channel, anAnswer());
    return performance.now() - since;
  });
  return Promise.all(all);
};

test('refusals of a channel go out one after the other', async () => {
  const pace = createRefusalPace({ fewApartMs: 10, manyApartMs: 10, mostMs: 600_000 });
  const out = await refuse(pace, 'crowded', 20);
  // Timers may ring a millisecond early.
  for (const [nth, ms] of out.entries()) expect(ms).toBeGreaterThan(10 * nth - 2);
});

test('no refusal waits longer than the longest wait', async () => {
  const pace = createRefusalPace({ fewApartMs: 600_000, manyApartMs: 600_000, mostMs: 100 });
  const out = await refuse(pace, 'crowded', 20);
  expect(Math.max(...out)).toBeLessThan(60_000);
});

test('the more of them wait, the further they are apart', async () => {
  const pace = createRefusalPace({ fewApartMs: 1, manyApartMs: 1_000, mostMs: 2_000 });
  const out = await refuse(pace, 'crowded', 400);
  // A millisecond apart each would be 400 in all.
  expect(out.at(-1)).toBeGreaterThan(800);
});

test('the first refusal, one of another channel, and one whose client goes wait for none of them', async () => {
  const pace = createRefusalPace({ fewApartMs: 600_000, manyApartMs: 600_000, mostMs: 600_000 });
  await pace('crowded', anAnswer());
  const crowd = Array.from({ length: 5 }, anAnswer);
  const refused = crowd.map((answer) => pace('crowded', answer));
  await expect(pace('quiet', anAnswer())).resolves.toBeUndefined();
  for (const answer of crowd) answer.destroy();
  expect(await Promise.all(refused)).toHaveLength(5);
});
