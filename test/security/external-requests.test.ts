import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { afterAttempt, type RequestFailure, type Port } from '../../src/shared/external-requests/after-attempt.ts';
import { attemptRequest } from '../../src/shared/external-requests/attempt-request.ts';
import { sendRequest, type RequestResult } from '../../src/shared/external-requests/send-request.ts';
import type { Answer } from '../helpers/receiver.ts';
import { aReceiver, anEgress } from '../shared/platform/egress/builders.ts';
import { aBlock, aCredential, credentials, rendered } from '../shared/external-requests/builders.ts';
import { reportAttack } from './report.ts';

const timeoutMs = 1_000;

/** The failure of the one try that a block has, and its port. */
const ended = (result: RequestResult | { type: 'busy' }): { reason?: RequestFailure; port?: Port } => {
  if (result.type !== 'failed') return {};
  const after = afterAttempt(aBlock({ attempts: 1 }), 1, result);
  return { reason: result.reason, ...(after.type === 'port' && { port: after.port }) };
};

const bomb = gzipSync(Buffer.alloc(1_073_741_824 / 8));

const hostile: readonly { what: string; answer: Answer; reason: RequestFailure; port: Port }[] = [
  { what: 'a body without end', answer: { type: 'endless' }, reason: 'too_large', port: 'error' },
  { what: 'a body that drips', answer: { type: 'drip', everyMs: 20 }, reason: 'timeout', port: 'timeout' },
  { what: 'silence', answer: { type: 'hang' }, reason: 'timeout', port: 'timeout' },
  {
    what: 'a gzip bomb',
    answer: { type: 'respond', headers: { 'content-encoding': 'gzip' }, body: bomb },
    reason: 'too_large',
    port: 'error',
  },
  {
    what: 'gzip that is none',
    answer: { type: 'respond', headers: { 'content-encoding': 'gzip' }, body: 'none' },
    reason: 'encoding',
    port: 'error',
  },
  {
    what: 'encodings in one another',
    answer: { type: 'respond', headers: { 'content-encoding': 'gzip, gzip, gzip' }, body: bomb },
    reason: 'encoding',
    port: 'error',
  },
  { what: 'a reset after the body was sent', answer: { type: 'reset' }, reason: 'reset', port: 'error' },
  {
    what: 'a body that breaks off',
    answer: { type: 'raw', bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf' },
    reason: 'reset',
    port: 'error',
  },
  {
    what: 'headers without end',
    answer: { type: 'raw', bytes: `HTTP/1.1 200 OK\r\n${'X-A: a\r\n'.repeat(20_000)}\r\n` },
    reason: 'protocol',
    port: 'error',
  },
  { what: 'no HTTP', answer: { type: 'raw', bytes: 'SSH-2.0-OpenSSH\r\n' }, reason: 'protocol', port: 'error' },
];

test('a hostile service gets its block the right port, and little memory', async () => {
  const before = process.memoryUsage.rss();
  const wrong: string[] = [];
  for (const { what, answer, reason, port } of hostile) {
    const receiver = await aReceiver({ respond: answer });
    const egress = anEgress({ allow: `127.0.0.1:${receiver.port}` });
    const mapping = [{ path: 'name', field: 'first_name' }];
    const block = { method: 'POST', url: receiver.url(), body: '{}', timeout_ms: timeoutMs, mapping };
    const options = {
      accountId: 'acme',
      credentials: new Map(),
      known: { fields: new Map(), timeZone: 'UTC', country: null },
      v: 2,
    };
    const startedMs = performance.now();
    const made = await attemptRequest(egress, { config: aBlock(block), rendered: rendered(block), ...options });
    const came = ended(made.type === 'made' ? made.result : made);
    if (came.reason !== reason || came.port !== port) wrong.push(`${what}: ${JSON.stringify(came)}`);
    if (performance.now() - startedMs > timeoutMs + 1_000) wrong.push(`${what}: took too long`);
  }
  expect(wrong).toEqual([]);
  const grownMiB = Math.round((process.memoryUsage.rss() - before) / 1_048_576);
  if (grownMiB > 100) wrong.push(`${grownMiB} MiB more`);
  await reportAttack('hostileServices', { tried: hostile.length, through: wrong.length, note: `${grownMiB} MiB more` });
});

test('no redirect and no name leads a request into a private network', async () => {
  const inside = await aReceiver();
  const places = [
    inside.url('/'),
    inside.url('/', 'localhost'),
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ];
  const reached: string[] = [];
  for (const location of places) {
    const open = await aReceiver({ respond: { type: 'respond', status: 307, headers: { location } } });
    const egress = anEgress({ allow: `127.0.0.1:${open.port}` });
    const options = { accountId: 'acme', credentials: new Map(), timeoutMs, followRedirects: true };
    const result = await sendRequest(egress, rendered({ url: open.url() }), options);
    if (!['refused_address', 'redirect'].includes(ended(result).reason ?? ''))
      reached.push(`${location}: ${result.type}`);
  }
  // The name is good when it is checked first, and leads inside the second time.
  let asked = 0;
  const open = await aReceiver({ host: '127.0.0.2', certificateFor: ['shop.example'] });
  const lookup = async () => [{ address: (asked += 1) === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
  const egress = anEgress({ allow: '127.0.0.2', lookup });
  const send = () => {
    const options = { accountId: 'acme', credentials: new Map(), timeoutMs, followRedirects: false };
    return sendRequest(egress, rendered({ url: open.url('/', 'shop.example') }), options);
  };
  expect(await send()).toMatchObject({ type: 'answered' });
  open.dropConnections();
  const again = ended(await send());
  if (again.reason !== 'refused_address') reached.push(`rebinding: ${JSON.stringify(again)}`);
  expect(reached).toEqual([]);
  await reportAttack('requestsInside', { tried: places.length + 1, through: inside.requests.length + reached.length });
});

test('a credential leaves for no other host, whatever a field or a service says', async () => {
  const stranger = await aReceiver();
  const friend = await aReceiver();
  const secret = 'sk_live_verysecret';
  const shop = aCredential({ hosts: ['localhost'], secret, type: 'header', param: 'X-Key' });
  const options = { accountId: 'acme', credentials: credentials(shop), timeoutMs, followRedirects: true };
  const egress = anEgress({ allow: '127.0.0.1' });
  let tried = 0;
  const attempt = async (fields: Readonly<Record<string, unknown>>, values: Readonly<Record<string, string>> = {}) => {
    tried += 1;
    await sendRequest(egress, rendered(fields, values), options);
  };
  const all = { credential: 'shop', headers: { 'X-Mine': '{{credential.shop}}' } };
  // The stranger's address is another host than the credential's name for it.
  await attempt({ url: stranger.url('/'), ...all });
  await attempt({ method: 'POST', url: stranger.url('/'), body: '{"k": "{{credential.shop}}"}' });
  for (const status of [301, 302, 303, 307, 308]) {
    friend.respondWith({ type: 'respond', status, headers: { location: stranger.url('/') } });
    await attempt({ url: friend.url('/', 'localhost'), ...all });
    await attempt({ method: 'POST', url: friend.url('/', 'localhost'), body: '{"k": "{{credential.shop}}"}' });
  }
  // What a contact wrote is no placeholder.
  friend.respondWith(200);
  await attempt({ method: 'POST', url: stranger.url('/'), body: '{"k": "{{size}}"}' }, { size: '{{credential.shop}}' });
  const seen = JSON.stringify(
    stranger.requests.map(({ headers, path, rawBody }) => [headers, path, rawBody.toString()]),
  );
  expect(stranger.requests.length).toBeGreaterThan(0);
  await reportAttack('strayedCredentials', { tried, through: seen.split(secret).length - 1 });
});
