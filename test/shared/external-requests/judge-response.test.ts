import { expect, test } from 'vitest';
import { judgeAndMap } from '../../../src/shared/external-requests/judge-on-thread.ts';
import { aBlock } from './builders.ts';

type Rule = [path: string, op: string, value?: unknown];
type Response = { status?: number; headers?: Record<string, string>; body?: unknown };

const judge = (rules: readonly Rule[], response: Response = {}, match = 'all') => {
  const { status = 200, headers = {}, body = {} } = response;
  const config = aBlock({ success_when: { match, rules: rules.map(([path, op, value]) => ({ path, op, value })) } });
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const known = { fields: new Map(), timeZone: 'Europe/Berlin', country: null };
  const { mapped: _, ...judged } = judgeAndMap({
    config,
    response: { status, headers, body: bytes },
    known,
    v: Infinity,
    secrets: [],
  });
  return judged;
};

const success = { isSuccess: true };

test.for<[rule: Rule, response: Response, holds: boolean]>([
  [['$.ok', 'is', true], { body: { ok: true } }, true],
  [['$.ok', 'is', true], { body: { ok: false } }, false],
  [['$.ok', 'is', true], { body: {} }, false],
  [['ok', 'is', 'YES'], { body: { ok: 'yes' } }, true],
  [['$.error', 'not_set'], { body: { error: null } }, true],
  [['$.error', 'not_set'], { body: { error: 'no' } }, false],
  [['$.id', 'is_set'], { body: { id: 0 } }, true],
  [['$.items[*].state', 'contains', 'done'], { body: { items: [{ state: 'new' }, { state: 'done' }] } }, true],
  [['$.items[*].state', 'is', 'done'], { body: { items: [{ state: 'new' }, { state: 'done' }] } }, false],
  [['$.left', 'gt', 2], { body: { left: '3' } }, true],
  [['$.id', 'is', '1234567890123456789'], { body: '{"id": 1234567890123456789}' }, true],
  [['$.until', 'gte', '2026-03-01T10:00'], { body: { until: '2026-03-01T09:00:00Z' } }, true],
  [['$status', 'is', 404], { status: 404 }, true],
  [['$status', 'lt', 300], { status: 404 }, false],
  [['$headers.X-State', 'starts_with', 'ok'], { headers: { 'x-state': 'OK, done' } }, true],
  [['$headers.x-gone', 'is_not', 'x'], {}, true],
  [['$body', 'contains', 'paid'], { body: '<p>Paid</p>' }, true],
  [['$body', 'matches', '^<p>'], { body: '<p>Paid</p>' }, true],
  [['$body', 'not_set'], { body: ' ' }, true],
  [['$.ok', 'is_not', true], { body: '<p>' }, true],
  [['$.ok', 'is_set'], { body: '<p>' }, false],
])('%j of a response %j holds: %j', ([rule, response, holds]) => {
  expect(judge([rule], response).isSuccess).toBe(holds);
});

test('all rules must hold, and the first one that does not is named without the value that came', () => {
  const rules: Rule[] = [
    ['$status', 'is', 200],
    ['$.state', 'is', 'paid'],
    ['$.id', 'is_set'],
  ];
  expect(judge(rules, { body: { state: 'Paid', id: 7 } })).toEqual(success);
  expect(judge(rules, { body: { state: 'private words' } })).toEqual({
    isSuccess: false,
    unmet: { reason: 'success_when_2', detail: 'success_when: rule 2 ($.state is paid) does not hold' },
  });
});

test('with match any, one rule is enough, and without one the response is no success', () => {
  const rules: Rule[] = [
    ['$status', 'is', 404],
    ['$.ok', 'is', true],
  ];
  expect(judge(rules, { status: 404 }, 'any')).toEqual(success);
  expect(judge(rules, { body: { ok: true } }, 'any')).toEqual(success);
  expect(judge(rules, {}, 'any')).toEqual({
    isSuccess: false,
    unmet: { reason: 'success_when', detail: 'success_when: none of its rules holds' },
  });
});

test('a response that takes too long to compare is no success, and says by which rule', () => {
  const rules: Rule[] = Array.from({ length: 10 }, () => ['$body', 'is_not', 'x']);
  const judged = judge(rules, { body: 'ﷺ'.repeat(100_000) });
  expect(judged).toMatchObject({ isSuccess: false, unmet: { detail: expect.stringContaining('takes too long') } });
});

test('the mapping of a success is written of a 404, and the error mapping of a 200 that is none', () => {
  const known = {
    fields: new Map([['note', { key: 'note', name: 'Note', type: 'text' as const, options: null, default: null }]]),
    timeZone: 'UTC',
    country: null,
  };
  const config = aBlock({
    success_when: { rules: [{ path: '$status', op: 'is', value: 404 }] },
    mapping: [{ path: '$.free', field: 'note' }],
    error_mapping: [{ path: '$.taken', field: 'note' }],
  });
  const mappedOf = (status: number) => {
    const response = { status, headers: {}, body: Buffer.from('{"free": "yes", "taken": "by Ada"}') };
    return judgeAndMap({ config, response, known, v: Infinity, secrets: [] }).mapped;
  };
  expect(mappedOf(404)).toMatchObject({ ok: true, fields: [{ path: '$.free', value: 'yes' }] });
  expect(mappedOf(200)).toMatchObject({ ok: true, fields: [{ path: '$.taken', value: 'by Ada' }] });
});
