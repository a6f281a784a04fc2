import { describe, expect, test } from 'vitest';
import {
  afterAttempt,
  readRetryAfter,
  type Retried,
  type RequestOutcome,
} from '../../../src/shared/external-requests/after-attempt.ts';
import { aBlock } from './builders.ts';

const answered = (status: number, retryAfterMs?: number): RequestOutcome => ({
  type: 'answered',
  status,
  isSuccess: status >= 200 && status < 300,
  retryAfterMs,
});
const failed = (reason: 'timeout' | 'connect' | 'reset' | 'dns' | 'tls' | 'too_large', requestSent: boolean) =>
  ({ type: 'failed', reason, requestSent }) as const;
const aRequest = (method: Retried['method'], isSafe = false): Retried => ({
  method,
  safe_to_repeat: isSafe,
  attempts: 3,
});
const get = aRequest('GET');
const post = aRequest('POST');
const safePost = aRequest('POST', true);

test.for([200, 201, 204, 299])('%i takes the port success', (status) => {
  expect(afterAttempt(post, 1, answered(status))).toEqual({ type: 'port', port: 'success' });
});

describe('an answer to GET, PUT and DELETE', () => {
  test.for([408, 425, 429, 500, 502, 503, 504])(
    'of %i is repeated after 1 s and 2 s, and then takes error',
    (status) => {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const after = [1, 2, 3].map((number) => afterAttempt(aRequest(method), number, answered(status)));
        expect(after).toEqual([
          { type: 'retry', inMs: 1_000 },
          { type: 'retry', inMs: 2_000 },
          { type: 'port', port: 'error', reason: `status_${status}` },
        ]);
      }
    },
  );

  test.for([301, 400, 401, 404, 409, 422, 501])('of %i takes error at once', (status) => {
    expect(afterAttempt(get, 1, answered(status))).toEqual({ type: 'port', port: 'error', reason: `status_${status}` });
  });
});

describe('POST and PATCH', () => {
  test.for([
    ['nothing was sent', failed('connect', false), true],
    ['its name was not found', failed('dns', false), true],
    ['the connection broke after it was sent', failed('reset', true), false],
    ['no answer came in time', failed('timeout', true), false],
    ['no connection came in time', failed('timeout', false), true],
    ['the answer is 429', answered(429), true],
    ['the answer is 503', answered(503), true],
    ['the answer is 500', answered(500), false],
    ['the answer is 408', answered(408), false],
  ] as const)('when %s', ([, outcome, isRepeated]) => {
    for (const method of ['POST', 'PATCH'] as const)
      expect(afterAttempt(aRequest(method), 1, outcome).type).toBe(isRepeated ? 'retry' : 'port');
    expect(afterAttempt(safePost, 1, outcome).type).toBe('retry');
  });
});

test('no answer in time takes the port timeout after the last try', () => {
  expect(afterAttempt(get, 2, failed('timeout', true))).toEqual({ type: 'retry', inMs: 2_000 });
  expect(afterAttempt(get, 3, failed('timeout', true))).toEqual({ type: 'port', port: 'timeout', reason: 'timeout' });
  expect(afterAttempt(post, 1, failed('timeout', true))).toEqual({ type: 'port', port: 'timeout', reason: 'timeout' });
});

test('a block that wants one try gets one', () => {
  const once = { ...get, attempts: 1 };
  expect(afterAttempt(once, 1, answered(503))).toEqual({ type: 'port', port: 'error', reason: 'status_503' });
});

test('tries that our own side has lost count as attempts from the third on', () => {
  const lost = { type: 'failed', reason: 'outcome_unknown', requestSent: true } as const;
  const once = { ...get, attempts: 1 };
  expect([1, 2, 3].map((number) => afterAttempt(once, number, lost).type)).toEqual(['retry', 'retry', 'port']);
  expect(afterAttempt({ ...once, method: 'POST' }, 1, lost).type).toBe('port');
});

test.for(['tls', 'too_large'] as const)('%s is not repeated: it would be the same', (reason) => {
  expect(afterAttempt(get, 1, failed(reason, false))).toEqual({ type: 'port', port: 'error', reason });
});

test.for([
  [0, 1_000],
  [500, 1_000],
  [7_000, 7_000],
  [300_000, 300_000],
  [3_600_000, 300_000],
])('a Retry-After of %i ms makes a wait of %i', ([askedMs, waitMs]) => {
  expect(afterAttempt(get, 1, answered(429, askedMs))).toEqual({ type: 'retry', inMs: waitMs });
});

test.for([
  ['7', 7_000],
  [' 120 ', 120_000],
  ['0', 0],
  ['Mon, 02 Mar 2026 12:00:30 GMT', 30_000],
  ['Mon, 02 Mar 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['99999999999', undefined],
  [undefined, undefined],
  [['1', '2'], undefined],
] as const)('Retry-After: %o is %o ms', ([header, ms]) => {
  expect(readRetryAfter(header as string | undefined, new Date('2026-03-02T12:00:00Z'))).toBe(ms);
});

describe('a block with a retry policy', () => {
  const policy = (retry: object, rest: object = {}): Retried => aBlock({ method: 'GET', retry, attempts: 5, ...rest });
  const waitsOf = (request: Retried, outcome: RequestOutcome) =>
    [1, 2, 3, 4, 5].map((number) => {
      const after = afterAttempt(request, number, outcome);
      return after.type === 'retry' ? after.inMs : after.port;
    });

  test('that says nothing retries as one without', () => {
    for (const outcome of [answered(503), answered(404), answered(408, 20_000), failed('timeout', true)])
      expect(waitsOf(policy({}), outcome)).toEqual(waitsOf({ ...get, attempts: 5 }, outcome));
  });

  test('doubles its first wait up to its longest one, and makes as many attempts as it says', () => {
    const slow = policy({ first_wait: 'PT10S', longest_wait: 'PT30S' });
    expect(waitsOf(slow, answered(503))).toEqual([10_000, 20_000, 30_000, 30_000, 'error']);
    expect(waitsOf(policy({ first_wait: 'PT5M' }), failed('connect', false)).slice(0, 2)).toEqual([300_000, 300_000]);
  });

  test('waits for Retry-After up to five minutes, also beyond its own longest wait', () => {
    const quick = policy({ longest_wait: 'PT1S' });
    expect(waitsOf(quick, answered(503, 60_000))[0]).toBe(60_000);
    expect(waitsOf(quick, answered(503, 3_600_000))[0]).toBe(300_000);
  });

  test('retries its own statuses in place of the usual ones, and broken connections in any case', () => {
    const own = policy({ statuses: [404, 409] });
    expect(waitsOf(own, answered(404))[0]).toBe(1_000);
    expect(waitsOf(own, answered(503))[0]).toBe('error');
    expect(waitsOf(policy({ statuses: [] }), answered(503))[0]).toBe('error');
    expect(waitsOf(own, failed('reset', true))[0]).toBe(1_000);
  });

  test('repeats a POST only after 429 and 503, whatever its statuses, unless that is safe', () => {
    const statuses = { statuses: [429, 500] };
    const of = (rest: object) => [429, 500, 503].map((status) => waitsOf(policy(statuses, rest), answered(status))[0]);
    expect(of({ method: 'POST' })).toEqual([1_000, 'error', 'error']);
    expect(of({ method: 'POST', safe_to_repeat: true })).toEqual([1_000, 1_000, 'error']);
  });

  test('retries a 200 that is no success where it names it, and never a success', () => {
    const polls = policy({ statuses: [200] });
    expect(waitsOf(polls, { type: 'answered', status: 200, isSuccess: false, reason: 'success_when_1' })).toEqual([
      1_000,
      2_000,
      4_000,
      8_000,
      'error',
    ]);
    expect(waitsOf(polls, answered(200))[0]).toBe('success');
  });
});
