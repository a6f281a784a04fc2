import { describe, expect, test } from 'vitest';
import { problemCodes } from '../../src/shared/platform/say-issue.ts';
import { useApi } from '../helpers/api.ts';

type ErrorAnswer = {
  error: {
    code: string;
    message: string;
    details?: { path: string; message: string; code: string }[];
    request_id: string;
  };
};

const api = await useApi();
const account = await api.createAccount();

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.request<ErrorAnswer>('POST', '/v1/contacts', { key: account.apiKey, body, headers });

describe('every refusal has the error envelope', () => {
  test.for([
    ['an unknown path', 'GET', '/nowhere', 404, 'not_found'],
    ['an unknown path below /v1', 'GET', '/v1/nowhere', 404, 'not_found'],
    ['an id of another noun', 'GET', '/v1/contacts/chn_01jd6z3qf5e8pb2zv0w8c4x1kn', 404, 'not_found'],
    ['no id at all', 'GET', '/v1/contacts/1%20or%201=1', 404, 'not_found'],
    ['a broken escape in the path', 'GET', '/v1/contacts/%E0%A4%A', 404, 'not_found'],
    ['NUL in the path', 'GET', '/v1/contacts/external:%00', 404, 'not_found'],
    ['a limit out of range', 'GET', '/v1/contacts?limit=201', 422, 'invalid_request'],
    ['a limit that is no number', 'GET', '/v1/contacts?limit=ten', 422, 'invalid_request'],
    ['a limit in hexadecimal', 'GET', '/v1/contacts?limit=0x10', 422, 'invalid_request'],
    ['a limit with an exponent', 'GET', '/v1/contacts?limit=1e2', 422, 'invalid_request'],
    ['a limit behind a space', 'GET', '/v1/contacts?limit=%205', 422, 'invalid_request'],
    ['a limit of nothing', 'GET', '/v1/contacts?limit=', 422, 'invalid_request'],
    ['a cursor that is not ours', 'GET', '/v1/contacts?cursor=abc', 422, 'invalid_request'],
    ['an unknown parameter', 'GET', '/v1/contacts?colour=red', 422, 'invalid_request'],
    ['a repeated parameter', 'GET', '/v1/contacts?limit=1&limit=2', 422, 'invalid_request'],
    ['NUL in a parameter', 'GET', '/v1/contacts?email=%00', 422, 'invalid_request'],
  ] as const)('%s: %s %s is %i', async ([, method, path, status, code]) => {
    const answer = await api.request<ErrorAnswer>(method, path, { key: account.apiKey });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      error: expect.objectContaining({ code, message: expect.any(String), request_id: answer.headers['x-request-id'] }),
    });
  });

  test.for(['/v1/contacts', '/openapi.json', '/health/live', '/api/accounts/me', '/dashboard/api/channels'])(
    'a wrong method on %s is 405 and says the right ones',
    async (path) => {
      const headers = { 'x-access-token': account.apiKey };
      const cookie = path.startsWith('/dashboard') ? { session: account.session } : {};
      const answer = await api.request<ErrorAnswer>('DELETE', path, { key: account.apiKey, headers, ...cookie });
      expect(answer.status).toBe(405);
      expect(answer.body.error.code).toBe('method_not_allowed');
      expect(String(answer.headers['allow']).split(', ')).toContain('GET');
    },
  );

  test.for(['GET', 'DELETE'])(
    '%s on a path that is spelt out is 405, though an id could stand there',
    async (method) => {
      const answer = await api.request<ErrorAnswer>(method, '/v1/replays/preview', { key: account.apiKey });
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('POST');
    },
  );

  test('what we did not foresee says "internal error", and is logged whole without the request body', async () => {
    const contact = await api.request<{ id: string }>('POST', '/v1/contacts', { key: account.apiKey, body: {} });
    await api.db`alter table contacts rename column first_name to given_name`;
    const answer = await post({ first_name: 'Cordelia' });
    await api.db`alter table contacts rename column given_name to first_name`;
    expect(contact.status).toBe(201);
    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatchObject({ code: 'internal_error', message: 'Internal error.' });
    const lines = api.logged.filter((line) => line.includes(answer.body.error.request_id));
    expect(lines.find((line) => line.includes('api.error'))).toMatch(/column .*first_name/);
    expect(lines.join()).not.toContain('Cordelia');
    expect(lines.join()).not.toContain(account.apiKey);
  });
});

describe('request ids', () => {
  test("the caller's own is kept, and logged", async () => {
    const answer = await api.request('GET', '/health/live', { headers: { 'x-request-id': 'order-4711/a' } });
    expect(answer.headers['x-request-id']).toBe('order-4711/a');
    expect(
      api.logged.some((line) => line.includes('"request_id":"order-4711/a"') && line.includes('api.request')),
    ).toBe(true);
  });

  test.for(['', 'a b', 'x'.repeat(101), '<script>'])('%j is replaced', async (given) => {
    const answer = await api.request('GET', '/health/live', { headers: { 'x-request-id': given } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('answers are kept by no cache, guessed by no browser, framed by no page', async () => {
  const { headers } = await api.request('GET', '/v1/contacts', { key: account.apiKey });
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});

test('the access log names who and what, and neither path, query nor key', async () => {
  const answer = await api.request('GET', '/v1/contacts?email=private%40example.com', { key: account.apiKey });
  const line = api.logged.find((text) => text.includes(String(answer.headers['x-request-id'])));
  expect(JSON.parse(line ?? '')).toMatchObject({
    msg: 'api.request',
    method: 'GET',
    route: '/v1/contacts',
    status: 200,
    duration_ms: expect.any(Number),
    account_id: expect.stringMatching(/^acc_/),
    api_key_id: expect.stringMatching(/^key_/),
  });
  expect(JSON.parse(line ?? '')).not.toHaveProperty('path');
  expect(line).not.toContain('private');
  expect(line).not.toContain(account.apiKey);
});

describe('each problem of a 422 has a code for programs', () => {
  const problems = [
    ['required', 'POST', '/tags', {}, 'name'],
    ['unknown_field', 'POST', '/tags', { name: 'vip', colour: 'red' }, 'colour'],
    ['unknown_field', 'GET', '/contacts?colour=red', undefined, 'colour'],
    ['invalid_type', 'POST', '/tags', { name: 7 }, 'name'],
    ['invalid_format', 'POST', '/contacts', { email: 'nobody' }, 'email'],
    ['invalid_value', 'POST', '/custom-fields', { key: 'size', name: 'Size', type: 'colour' }, 'type'],
    ['too_small', 'POST', '/tags', { name: '' }, 'name'],
    ['too_big', 'GET', '/contacts?limit=201', undefined, 'limit'],
    ['too_big', 'POST', '/tags', { name: Array(5_000).fill(1) }, ''],
    ['invalid', 'POST', '/contacts', { time_zone: 'Mars' }, 'time_zone'],
    ['invalid', 'GET', '/contacts?limit=1&limit=2', undefined, 'limit'],
  ] as const;

  test.for(problems)('%s: %s %s', async ([code, method, path, body, at]) => {
    const answer = await api.request<ErrorAnswer>(method, `/v1${path}`, { key: account.apiKey, body });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details).toEqual([{ path: at, message: expect.any(String), code }]);
  });

  test('which the OpenAPI document lists', async () => {
    expect(new Set(problems.map(([code]) => code))).toEqual(new Set(problemCodes));
    const { text } = await api.request('GET', '/openapi.json');
    expect(text).toContain(problemCodes.join(', '));
  });
});
