import { expect, test } from 'vitest';
import { newUuid } from '../../../src/shared/ids.ts';
import { createKeptRequests } from '../../../src/shared/test-endpoint/kept-requests.ts';
import type { KeptRequest } from '../../../src/shared/test-endpoint/schema.ts';
import { unverified } from '../../../src/shared/test-endpoint/verify-request.ts';

const clock = { ms: Date.UTC(2030, 0, 1) };
const now = () => clock.ms;

const aRequest = (body = '{}'): KeptRequest => ({
  id: newUuid(),
  receivedAt: new Date(clock.ms),
  method: 'POST',
  path: '',
  kind: 'other',
  event: null,
  bodyBytes: body.length,
  verification: unverified('unsigned'),
  answeredStatus: 200,
  headers: [],
  body,
  bodyTruncated: false,
});

test('the last 100 requests of an account are kept, newest first', () => {
  const kept = createKeptRequests({ now });
  const ids = Array.from({ length: 150 }, () => {
    const request = aRequest();
    kept.add('acme', request);
    return request.id;
  });
  expect(kept.list('acme').requests.map(({ id }) => id)).toEqual(ids.slice(-100).toReversed());
  expect(kept.find('acme', ids[49] ?? '')).toBeUndefined();
  expect(kept.find('acme', ids[50] ?? '')).toBeDefined();
});

test('requests are gone after an hour, also when nobody asks for them', () => {
  const kept = createKeptRequests({ now });
  const { id } = aRequest();
  kept.admit('acme');
  kept.add('acme', { ...aRequest(), id });
  clock.ms += 3_600_000;
  expect(kept.list('acme').requests).toHaveLength(1);
  clock.ms += 1;
  kept.expire();
  expect(kept.stats()).toEqual({ accounts: 0, requests: 0, bytes: 0 });
  expect(kept.find('acme', id)).toBeUndefined();
});

test('at most 20 requests of any second are let in, and the others are counted for an hour', () => {
  const kept = createKeptRequests({ now });
  const admitted = Array.from({ length: 3_000 }, () => {
    clock.ms += 1;
    return kept.admit('acme');
  }).filter(Boolean);
  expect(admitted).toHaveLength(60);
  expect(kept.list('acme').notKept).toBe(2_940);
  expect(kept.admit('globex')).toBe(true);
  clock.ms += 3_602_000;
  expect(kept.list('acme').notKept).toBe(0);
});

test('beyond the bound of all accounts, the account with the most loses its oldest', () => {
  const kept = createKeptRequests({ now, mostBytes: 20 * 61_000 });
  for (let count = 0; count < 3; count += 1) kept.add('small', aRequest('x'.repeat(30_000)));
  for (let count = 0; count < 100; count += 1) kept.add('large', aRequest('x'.repeat(30_000)));
  expect(kept.list('small').requests).toHaveLength(3);
  expect(kept.list('large').requests).toHaveLength(17);
  expect(kept.stats().bytes).toBeLessThanOrEqual(20 * 61_000);
});

test('an account that forgets its requests leaves those of others', () => {
  const kept = createKeptRequests({ now });
  for (const account of ['acme', 'globex']) kept.add(account, aRequest());
  kept.clear('acme');
  expect(kept.list('acme')).toEqual({ requests: [], notKept: 0 });
  expect(kept.list('globex').requests).toHaveLength(1);
});
