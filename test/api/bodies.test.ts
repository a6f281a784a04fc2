import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { useApi } from '../helpers/api.ts';

type ErrorAnswer = { error: { code: string; message: string; details?: { path: string; message: string }[] } };

const api = await useApi();
const account = await api.createAccount();

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.request<ErrorAnswer>('POST', '/v1/contacts', { key: account.apiKey, body, headers });

const countContacts = async (): Promise<number> => (await api.db`select 1 from contacts`).count;

test.for([
  ['malformed JSON', '{"first_name": ', 400, 'invalid_json'],
  ['no body', '', 400, 'invalid_json'],
  ['JSON with a trailing comma', '{"first_name":"a",}', 400, 'invalid_json'],
  ['broken UTF-8', Buffer.from('{"first_name":"\xff"}', 'latin1'), 400, 'invalid_json'],
  ['an overlong UTF-8 form', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 400, 'invalid_json'],
  ['a text', '"first_name"', 422, 'invalid_request'],
  ['null', 'null', 422, 'invalid_request'],
  ['an array', '[{}]', 422, 'invalid_request'],
  ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000), 422, 'invalid_request'],
  ['50,000 nested objects', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000), 413, 'payload_too_large'],
  ['20,000 nested objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000), 422, 'invalid_request'],
] as const)('%s is refused', async ([, body, status, code]) => {
  const before = await countContacts();
  const answer = await post(body);
  expect(answer.status).toBe(status);
  expect(answer.body.error.code).toBe(code);
  expect(await countContacts()).toBe(before);
});

test.for([
  ['NUL', '{"first_name":"a\\u0000b"}', 'first_name'],
  ['half a surrogate pair', '{"custom_fields":{"note":"\\ud83d"}}', 'custom_fields.note'],
  ['NUL in a key', '{"custom_fields":{"a\\u0000":1}}', 'custom_fields'],
  ['__proto__ as a key', '{"custom_fields":{"__proto__":{"vip":true}}}', 'custom_fields'],
] as const)('%s is 422 and names the place', async ([, body, path]) => {
  const answer = await post(body);
  expect(answer.status).toBe(422);
  expect(answer.body.error.details).toEqual([{ path, message: expect.any(String), code: 'invalid' }]);
});

test('all problems are named at once, unknown fields too, and no value is repeated', async () => {
  const answer = await post({
    first_name: 7,
    email: 'secret-value',
    time_zone: 'Mars/Base',
    colour: 'red',
    custom_fields: { 'A b': {} },
  });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details?.map(({ path }) => path).sort()).toEqual(
    ['colour', 'custom_fields.A b', 'email', 'first_name', 'time_zone'].sort(),
  );
  expect(answer.text).not.toContain('secret-value');
});

test.for([
  ['another type', { 'content-type': 'text/plain' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['another charset', { 'content-type': 'application/json; charset=latin1' }],
  ['a compressed body', { 'content-encoding': 'gzip' }],
] as const)('%s is 415', async ([, headers]) => {
  const answer = await post('{}', headers);
  expect(answer.status).toBe(415);
  expect(answer.body.error.code).toBe('unsupported_media_type');
});

test('a body in UTF-8 that says so is taken', async () => {
  const answer = await post('{"first_name":"Zoë 🚀"}', { 'content-type': 'application/json; charset=UTF-8' });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ first_name: 'Zoë 🚀' });
});

test('of a great many problems the first hundred are told, and how many there are', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`${n}${'x'.repeat(100)}`, 1]));
  const answer = await post(unknown);
  expect(answer.status).toBe(422);
  expect(answer.body.error.message).toBe('The request is not valid; 100 of its 2000 problems are listed.');
  expect(answer.body.error.details).toHaveLength(100);
});

test('a body of more than 5,000 values is 422 before they are looked at, and one of 5,000 is looked at', async () => {
  const answer = await post({ custom_fields: { values: Array.from({ length: 4_999 }, () => 'x') } });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details).toEqual([{ path: '', message: 'must hold at most 5000 values', code: 'too_big' }]);
  const smaller = await post({ values: Array.from({ length: 4_998 }, () => 'x') });
  expect(smaller.body.error.details).toEqual([
    { path: 'values', message: 'is not a known field', code: 'unknown_field' },
  ]);
});

test('a name that is told of as unknown is cut short', async () => {
  const answer = await post({ ['x'.repeat(200_000)]: 1 });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details?.map(({ path }) => path.length)).toEqual([201]);
});

test('300 kB is 413, and writes nothing', async () => {
  const before = await countContacts();
  const answer = await post({ first_name: 'a'.repeat(300_000) });
  expect(answer.status).toBe(413);
  expect(answer.body.error.code).toBe('payload_too_large');
  expect(await countContacts()).toBe(before);
});

test('a body that is announced as too large is refused before it is sent', async () => {
  const { answer } = await sendRaw('content-length: 300000\r\n\r\n{');
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
});

test('a body of unknown length is refused when it has become too large, and who goes on sending is cut off', async () => {
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
  const { answer, socket, closed } = await sendRaw(`transfer-encoding: chunked\r\n\r\n${chunk.repeat(5)}`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
  const drip = setInterval(() => socket.write('1\r\na\r\n'), 50);
  await closed;
  clearInterval(drip);
});

test('who hangs up in the middle of its body writes nothing, and is no error of ours', async () => {
  const before = await countContacts();
  const hungUp = () => api.logged.filter((line) => line.includes('api.hung_up')).length;
  const { socket } = openRaw('content-length: 25\r\n\r\n{"first_name":');
  await once(socket, 'connect');
  socket.end();
  await vi.waitUntil(() => hungUp() === 1, { timeout: 15_000 });
  expect(await countContacts()).toBe(before);
  expect(api.logged.filter((line) => /"level":"?(50|error)/.test(line))).toEqual([]);
});

/** Sends a request by hand that is never completed; answers what came back first. */
const sendRaw = async (rest: string) => {
  const { socket, closed } = openRaw(rest);
  const [answer] = await once(socket, 'data');
  return { answer: String(answer), socket, closed };
};

const openRaw = (rest: string) => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  // A reset closes it, too.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  const key = `authorization: Bearer ${account.apiKey}`;
  socket.write(`POST /v1/contacts HTTP/1.1\r\nhost: localhost\r\n${key}\r\ncontent-type: application/json\r\n${rest}`);
  return { socket, closed };
};
