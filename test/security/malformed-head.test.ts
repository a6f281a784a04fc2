import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { reportAttack } from './report.ts';

const api = await useApi();
const account = await api.createAccount();

/** Sends these bytes and a credential, and reads until the server hangs up. */
const send = async (head: readonly string[]) => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const lines = [...head, `Authorization: Bearer ${account.apiKey}`, 'Connection: close', '', ''];
  socket.write(lines.join('\r\n'), 'latin1');
  const answer = await text(socket);
  const [top = '', body = ''] = answer.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split('\r\n\r\n');
  return { status: Number(top.split(' ')[1]), body };
};

const hosts = [
  'a:99999',
  'a b<>',
  '[::bad',
  '[::1',
  ':',
  ':80',
  'a:b',
  'a/b',
  'a?b',
  'a#b',
  'u@a',
  'a\\b',
  'a\tb',
  '%',
  '%zz',
  '',
  'a..b:-1',
];
const paths = ['/v1/webhooks', '/v1/webhooks?limit=1', '/v1/nothing', '/openapi.json', '/health/live', '/'];

const malformed: { head: string[]; statuses: number[] }[] = [
  ...hosts.flatMap((host) =>
    paths.map((path) => ({ head: [`GET ${path} HTTP/1.1`, `Host: ${host}`], statuses: [400] })),
  ),
  ...paths.map((path) => ({ head: [`GET ${path} HTTP/1.1`], statuses: [400] })),
  ...['http://a/v1/webhooks', 'http://a:99999/v1/webhooks', 'https://[::bad/v1/webhooks', '*', 'a'].map((target) => ({
    head: [`GET ${target} HTTP/1.1`, 'Host: localhost'],
    statuses: [400],
  })),
  ...['//', '//a/b', '//a:99999/v1/webhooks', '/v1/%', '/v1/webhooks/%00', '/%2e%2e/v1', '/v1/webhooks/[::bad'].map(
    (target) => ({
      head: [`GET ${target} HTTP/1.1`, 'Host: localhost'],
      statuses: [400, 404],
    }),
  ),
  ...['200-ok', '100-continue, x', 'x'.repeat(8_000)].map((expectation) => ({
    head: ['GET /v1/webhooks HTTP/1.1', 'Host: localhost', `Expect: ${expectation}`],
    statuses: [417],
  })),
];

test('a head that cannot be meant is refused in the error envelope', async () => {
  const through: unknown[] = [];
  for (const { head, statuses } of malformed) {
    const { status, body } = await send(head);
    const enveloped = /^\{"error":\{"code":"\w+","message":".+","request_id":"[\w-]+"\}\}$/.test(body);
    if (!statuses.includes(status) || !enveloped) through.push({ head, status, body: body.slice(0, 200) });
  }
  expect(through).toEqual([]);
  await reportAttack('malformedHead', { tried: malformed.length, through: through.length });
});

test.for([
  ['an IPv6 address', ['GET /v1/webhooks?limit=1 HTTP/1.1', 'Host: [::1]:8080']],
  ['a name with a port', ['GET /v1/webhooks?limit=1 HTTP/1.1', 'Host: LocalHost:8443']],
  ['HTTP/1.0 without a host', ['GET /v1/webhooks?limit=1 HTTP/1.0']],
  ['100-continue', ['GET /v1/webhooks?limit=1 HTTP/1.1', 'Host: localhost', 'Expect: 100-Continue']],
] as const)('%s is served', async ([, head]) => {
  const { status, body } = await send(head);
  expect(status).toBe(200);
  expect(body).toBe('{"data":[],"next_cursor":null}');
});

test.for(['parley.example.com', 'Parley.Example.com:8443', 'parley_api:8080'])(
  'the well-formed host %s is told apart from a malformed one',
  async (host) => {
    const { status, body } = await send(['GET /v1/webhooks?limit=1 HTTP/1.1', `Host: ${host}`]);
    expect([status, JSON.parse(body)]).toMatchObject([421, { error: { code: 'misdirected_request' } }]);
    expect((await send(['GET /health/live HTTP/1.1', `Host: ${host}`])).status).toBe(200);
  },
);
