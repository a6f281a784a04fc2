import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/shared/platform/egress/exchange.ts';
import type { Answer } from '../../../helpers/receiver.ts';
import { anEgress, aReceiver, post } from './builders.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const ok = 'HTTP/1.1 200 OK\r\n';
const hello = 'content-length: 5\r\n\r\nhello';
const cookies = (count: number) => `set-cookie: ${'x'.repeat(488)}\r\n`.repeat(count);

async function answered(respond: Answer, { plain = false } = {}): Promise<Exchange> {
  const receiver = await aReceiver({ respond, plain });
  return post(anEgress({ allow: '127.0.0.0/8' }), receiver.url('/hook'));
}

const textOf = (exchange: Exchange) =>
  exchange.type === 'answered' ? Buffer.from(exchange.body).toString() : exchange;

describe.each([
  ['TLS', { plain: false }],
  ['TCP', { plain: true }],
])('over %s, an answer is read that', (_name, { plain }) => {
  test.each<[string, string | Buffer, { status?: number; headers?: object; body?: string }?]>([
    ['follows an unasked 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${ok}${hello}`],
    ['follows 102 Processing', `HTTP/1.1 102 Processing\r\n\r\n${ok}${hello}`],
    ['follows early hints', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}${hello}`, { headers: {} }],
    ['follows several 1xx', `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(32)}${ok}${hello}`],
    ['follows a 100 of HTTP/1.0 with bare line feeds', `HTTP/1.0 100\n\n${ok}${hello}`],
    ['folds a header', `${ok}x-a: one\r\n two\r\n\tthree\r\n${hello}`, { headers: { 'x-a': 'one two three' } }],
    [
      'ends its lines with bare line feeds',
      `HTTP/1.1 200 OK\nx-a: b\ncontent-length: 5\n\nhello`,
      { headers: { 'x-a': 'b' } },
    ],
    ['has no reason phrase', `HTTP/1.1 200 \r\n${hello}`],
    ['has neither a reason phrase nor the blank before it', `HTTP/1.1 200\r\n${hello}`],
    ['writes http in small letters', `http/1.1 200 ok\r\n${hello}`],
    ['has two blanks before its status', `HTTP/1.1  200 OK\r\n${hello}`],
    ['names HTTP/2 in its status line', `HTTP/2 200\r\n${hello}`],
    ['is of HTTP/1.0 and ends with its connection', `HTTP/1.0 200 OK\r\n\r\nhello`],
    ['has no length and ends with its connection', `${ok}\r\nhello`],
    ['has a status of its own', `HTTP/1.1 999 Denied\r\n${hello}`, { status: 999 }],
    ['begins after an empty line', `\r\n\r\n${ok}${hello}`],
    ['has a blank before a colon', `${ok}x-a : b\r\n${hello}`, { headers: { 'x-a': 'b' } }],
    ['has a line that is no header', `${ok}Warning in line 7\r\n<br>: x\r\n${hello}`],
    ['has a control character in a header', `${ok}x-a: b\x01\x00c\r\n${hello}`, { headers: { 'x-a': 'b  c' } }],
    ['has a header in UTF-8', Buffer.from(`${ok}x-a: Grüße 👋\r\n${hello}`), { headers: { 'x-a': 'Grüße 👋' } }],
    ['has a header in latin-1', latin1(`${ok}x-a: Grüße\r\n${hello}`), { headers: { 'x-a': 'Grüße' } }],
    ['says its length twice', `${ok}Content-Length: 5\r\n${hello}`],
    ['says its length twice in one line', `${ok}Content-Length: 5, 5\r\n\r\nhello`],
    [
      'says a length and is chunked',
      `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ],
    ['says a length and an encoding of none', `${ok}transfer-encoding: identity\r\n${hello}`],
    ['has chunks with extensions', `${ok}transfer-encoding: chunked\r\n\r\n5;a=b;c="d"\r\nhello\r\n0\r\n\r\n`],
    ['has trailers', `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-sum: 1\r\n\r\n`],
    ['offers an upgrade', `${ok}connection: upgrade\r\nupgrade: h2c\r\n${hello}`],
    ['has the status 204 and a body nevertheless', `HTTP/1.1 204 No Content\r\n${hello}`, { status: 204, body: '' }],
    [
      'has the status 304 and the length of a body',
      `HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n`,
      { status: 304, body: '' },
    ],
    ['has 20 kB of cookies', `${ok}${cookies(40)}${hello}`],
    ['has 64 kB of headers', `${ok}${cookies(130)}${hello}`],
  ])('%s', async (_what, bytes, { status = 200, headers = {}, body = 'hello' } = {}) => {
    const exchange = await answered({ type: 'raw', bytes }, { plain });
    expect(exchange).toMatchObject({ type: 'answered', status, headers, bodyTruncated: false });
    expect(textOf(exchange)).toBe(body);
  });
});

test('an answer whose connection ends without the end of TLS counts, and is whole', async () => {
  const exchange = await answered({ type: 'raw', bytes: `${ok}\r\nhello`, cutOff: true });
  expect(exchange).toMatchObject({ type: 'answered', status: 200, bodyTruncated: false });
  expect(textOf(exchange)).toBe('hello');
});

test('a connection that brought 1xx answers carries the next request', async () => {
  const receiver = await aReceiver({ respond: { type: 'respond', interim: [100, 102, 103], body: 'hello' } });
  const egress = anEgress({ allow: '127.0.0.0/8' });
  for (let i = 0; i < 3; i += 1) expect(textOf(await post(egress, receiver.url()))).toBe('hello');
  expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
});

test('a connection on which a length and chunks contradict each other is not used again', async () => {
  const bytes = `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`;
  const receiver = await aReceiver({ respond: { type: 'raw', bytes, keepOpen: true } });
  const egress = anEgress({ allow: '127.0.0.0/8' });
  for (let i = 0; i < 2; i += 1) expect(textOf(await post(egress, receiver.url()))).toBe('hello');
  expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
});

test.each<[string, string, string]>([
  ['more than 64 kB of headers', `${ok}${cookies(132)}${hello}`, 'headers_too_large'],
  ['a header without end', `${ok}x-a: ${'x'.repeat(70_000)}`, 'headers_too_large'],
  ['1xx answers without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(33), 'too_many_interim'],
  ['two different lengths', `${ok}content-length: 4\r\n${hello}`, 'unclear_length'],
  ['a length that is no number', `${ok}content-length: -1\r\n\r\n`, 'unclear_length'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    'switched_protocol',
  ],
  ['the first frame of HTTP/2', '\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64', 'http_2_only'],
  ['what is not HTTP', '220 mail.example ESMTP\r\n', 'not_http'],
  ['a status that is none', 'HTTP/1.1 OK\r\n\r\n', 'not_http'],
])('%s is told as such, in words, and the connection is closed', async (_what, bytes, detail) => {
  const receiver = await aReceiver({ respond: { type: 'raw', bytes, keepOpen: true } });
  const egress = anEgress({ allow: '127.0.0.0/8' });
  expect(await post(egress, receiver.url())).toMatchObject({
    type: 'failed',
    reason: 'protocol',
    detail,
    message: expect.stringMatching(/^the server [ -~]+$/),
    requestSent: true,
  });
  expect(egress.stats()).toMatchObject({ connections: 0 });
});
