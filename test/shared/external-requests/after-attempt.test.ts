import { describe, expect, test } from 'vitest';
import {
  afterAttempt,
  readRetryAfter,
  type Repeatable,
  type RequestOutcome,
} from '../../../src/shared/external-requests/after-attempt.ts';

const answered = (status: number, retryAfterMs?: number): RequestOutcome => ({
  type: 'answered',
  status,
  isSuccess: status >= 200 && status < 300,
  retryAfterMs,
});
const failed = (reason: 'timeout' | 'connect' | 'reset' | 'dns' | 'tls' | 'too_large', requestSent: boolean) =>
  ({ type: 'failed', reason, requestSent }) as const;
const aRequest = (method: Repeatable['method'], isSafe = false): Repeatable => ({
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
