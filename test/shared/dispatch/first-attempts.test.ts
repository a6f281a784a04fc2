import { expect, test } from 'vitest';
import { createFirstAttempts } from '../../../src/shared/dispatch/first-attempts.ts';

test('a webhook that holds its share leaves the places of the others alone', () => {
  const places = createFirstAttempts({ perWebhook: 2, total: 5 });
  expect(['a1', 'a2', 'a3'].map((id) => places.place(id, 'a'))).toEqual(['local', 'local', 'ordinary']);
  expect(['b1', 'b2', 'b3'].map((id) => places.place(id, 'b'))).toEqual(['local', 'local', 'ordinary']);
  places.release('a1');
  expect(places.place('a4', 'a')).toBe('local');
});

test('all webhooks together get no more than the process can hold', () => {
  const places = createFirstAttempts({ perWebhook: 10, total: 3 });
  expect(['a', 'b', 'c', 'd'].map((id) => places.place(id, id))).toEqual(['local', 'local', 'local', 'ordinary']);
});

test('a place given back twice, or never taken, frees nothing else', () => {
  const places = createFirstAttempts({ perWebhook: 1, total: 10 });
  places.place('a1', 'a');
  places.release('unknown');
  expect(places.place('a2', 'a')).toBe('ordinary');
  places.release('a1');
  places.release('a1');
  expect(places.place('a3', 'a')).toBe('local');
  expect(places.place('a4', 'a')).toBe('ordinary');
});

test('a place whose workflow was lost is forgotten after a while', () => {
  let now = 0;
  const places = createFirstAttempts({ perWebhook: 1, total: 1, now: () => now });
  places.place('lost', 'a');
  now = 29_000;
  expect(places.place('a2', 'a')).toBe('ordinary');
  now = 31_000;
  expect(places.place('a3', 'a')).toBe('local');
});
