import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  sendRequest,
  type Busy,
  type RequestResult,
  type SendOptions,
} from '../../../src/shared/external-requests/send-request.ts';
import type { Answer, Receiver } from '../../helpers/receiver.ts';
import { aReceiver, anEgress, namesAt } from '../platform/egress/builders.ts';
import { aCredential, credentials, rendered } from './builders.ts';
import { byTheClock } from '../../helpers/by-the-clock.ts';

const secret = 'sk_live/4711&x';

const send = (
  fields: Readonly<Record<string, unknown>>,
  {
    allow = '127.0.0.0/8',
    egress = anEgress({ allow }),
    ...options
  }: Partial<SendOptions> & { allow?: string; egress?: ReturnType<typeof anEgress> } = {},
): Promise<RequestResult | Busy> =>
  sendRequest(egress, rendered(fields), {
    accountId: 'acme',
    credentials: new Map(),
    timeoutMs: 15_000,
    followRedirects: false,
    ...options,
  });

const answering = async (respond: Answer | Answer[]): Promise<Receiver> => aReceiver({ respond });

const bodyOf = (result: RequestResult | Busy): string | undefined =>
  result.type === 'answered' ? Buffer.from(result.response.body).toString() : undefined;

test.for(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])('%s arrives as it was rendered', async (method) => {
  const receiver = await answering({ type: 'respond', status: 201, body: '{"left": 3}' });
  const result = await send({
    method,
    url: receiver.url('/stock/7?a=1'),
    body: '{"size": "L"}',
    headers: { 'X-Trace': '{{run.id}}' },
  });
  expect(result).toMatchObject({ type: 'answered', response: { status: 201 }, address: '127.0.0.1' });
  expect(bodyOf(result)).toBe('{"left": 3}');
  const [request] = receiver.requests;
  expect(request).toMatchObject({
    method,
    path: '/stock/7?a=1',
    headers: { 'x-trace': 'run_1', 'idempotency-key': 'run_1:call:1', 'accept-encoding': 'gzip, deflate, br' },
  });
  expect(request?.rawBody.toString()).toBe(method === 'GET' ? '' : '{"size": "L"}');
  expect(request?.headers['content-length']).toBe(method === 'GET' ? undefined : '13');
});

test.for([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('a response in %s is decoded', async ([encoding, compress]) => {
  const receiver = await answering({
    type: 'respond',
    headers: { 'content-encoding': encoding },
    body: compress('{"left": 3}'),
  });
  expect(bodyOf(await send({ url: receiver.url() }))).toBe('{"left": 3}');
});

describe('a credential', () => {
  const hosts = ['127.0.0.1'];
  const sentWith = async (fields: Readonly<Record<string, unknown>>, ...all: ReturnType<typeof aCredential>[]) => {
    const receiver = await answering(200);
    const result = await send({ ...fields, url: receiver.url('/a') }, { credentials: credentials(...all) });
    return { result, request: receiver.requests[0] };
  };

  test('is sent in the way of its type', async () => {
    const bearer = await sentWith({ credential: 'shop' }, aCredential({ hosts }));
    expect(bearer.request?.headers.authorization).toBe(`Bearer ${secret}`);
    const basic = await sentWith(
      { credential: 'shop' },
      aCredential({ hosts, type: 'basic', secret: 'ada:pass:wörd' }),
    );
    expect(basic.request?.headers.authorization).toBe(`Basic ${Buffer.from('ada:pass:wörd').toString('base64')}`);
    const header = await sentWith({ credential: 'shop' }, aCredential({ hosts, type: 'header', param: 'X-Api-Key' }));
    expect(header.request?.headers['x-api-key']).toBe(secret);
    const query = await sentWith(
      { credential: 'shop', query: { a: '1' } },
      aCredential({ hosts, type: 'query', param: 'api key' }),
    );
    expect(query.request?.path).toBe('/a?a=1&api+key=sk_live%2F4711%26x');
  });

  test('stands where its placeholder does, encoded for its place', async () => {
    const shop = aCredential({ hosts, type: 'header', param: 'X-Key', secret: 'a"b&c\\d' });
    const json = await sentWith(
      {
        method: 'POST',
        headers: { 'X-Key': 'Key {{credential.shop}}' },
        query: { k: '{{credential.shop}}' },
        body: '{"k": "<{{credential.shop}}>", "n": {{credential.shop}}}',
      },
      shop,
    );
    expect(JSON.parse(json.request?.rawBody.toString() ?? '')).toEqual({ k: '<a"b&c\\d>', n: 'a"b&c\\d' });
    expect(json.request?.headers['x-key']).toBe('Key a"b&c\\d');
    expect(new URLSearchParams(json.request?.path.split('?')[1]).get('k')).toBe('a"b&c\\d');
    const form = await sentWith({ method: 'POST', form: { k: '{{credential.shop}}' } }, shop);
    expect(new URLSearchParams(form.request?.rawBody.toString()).get('k')).toBe('a"b&c\\d');
    const raw = await sentWith({ method: 'POST', body_type: 'raw', body: '{{credential.shop}}' }, shop);
    expect(raw.request?.rawBody.toString()).toBe('a"b&c\\d');
  });

  test('that is bound to other hosts, or not there, keeps the request from being sent', async () => {
    const other = await sentWith({ credential: 'shop' }, aCredential());
    const missing = await sentWith({ headers: { 'X-Key': '{{credential.gone}}' } });
    for (const { result, request } of [other, missing]) {
      expect(result).toMatchObject({ type: 'failed', reason: 'credential', requestSent: false });
      expect(request).toBeUndefined();
    }
  });

  test('goes over plain http only to an address that the operator lets through', async () => {
    const receiver = await aReceiver({ plain: true });
    const result = (egress: ReturnType<typeof anEgress>, host: string) =>
      send(
        { url: receiver.url('/', host), credential: 'shop' },
        { egress, credentials: credentials(aCredential({ hosts: [host] })) },
      );
    const inside = anEgress({ allow: '127.0.0.1', lookup: namesAt('127.0.0.1') });
    expect(await result(inside, 'crm.internal')).toMatchObject({ type: 'answered' });
    const outside = anEgress({ allow: '127.0.0.1', lookup: namesAt('93.184.215.14') });
    expect(await result(outside, 'shop.example')).toMatchObject({ reason: 'refused_address', requestSent: false });
  });
});

describe('a redirect', () => {
  const to = (location: string, status = 302): Answer => ({ type: 'respond', status, headers: { location } });

  test('is an answer where it is not allowed', async () => {
    const receiver = await answering(to('/b'));
    expect(await send({ url: receiver.url() })).toMatchObject({ type: 'answered', response: { status: 302 } });
    expect(receiver.requests).toHaveLength(1);
  });

  test('is followed up to five times', async () => {
    const receiver = await answering([
      to('/1'),
      to('/2'),
      to('/3'),
      to('/4'),
      to('/5'),
      { type: 'respond', body: 'there' },
    ]);
    expect(bodyOf(await send({ url: receiver.url() }, { followRedirects: true }))).toBe('there');
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/', '/1', '/2', '/3', '/4', '/5']);
    const circle = await answering(to('/'));
    expect(await send({ url: circle.url() }, { followRedirects: true })).toMatchObject({
      type: 'failed',
      reason: 'redirect',
    });
    expect(circle.requests).toHaveLength(6);
  });

  test('within the origin takes credentials along, and the body where the method stays', async () => {
    const receiver = await answering([to('/b', 307), to('/c', 303), 200]);
    await send(
      { method: 'POST', url: receiver.url('/a'), body: '{"k": "{{credential.shop}}"}', credential: 'shop' },
      { followRedirects: true, credentials: credentials(aCredential({ hosts: ['127.0.0.1'] })) },
    );
    const seen = receiver.requests.map(({ method, rawBody, headers }) => [
      method,
      rawBody.toString(),
      headers.authorization,
    ]);
    const body = JSON.stringify({ k: secret }).replace(':', ': ');
    expect(seen).toEqual([
      ['POST', body, `Bearer ${secret}`],
      ['POST', body, `Bearer ${secret}`],
      ['GET', '', `Bearer ${secret}`],
    ]);
  });

  test('to another origin leaves behind everything that proves who asks, within that one, too, and on its way back', async () => {
    const other = await answering(200);
    const first = await answering([to(other.url('/b')), 200]);
    other.respondWith([to('/within'), to(first.url('/c'))]);
    const fields = {
      url: first.url('/a'),
      credential: 'shop',
      headers: {
        Authorization: 'Bearer typed',
        Cookie: 'a=b',
        'X-Api-Key': 'typed',
        'X-Of': '{{credential.shop}}',
        'X-Trace': 'kept',
      },
    };
    await send(fields, {
      followRedirects: true,
      credentials: credentials(aCredential({ hosts: ['127.0.0.1'], type: 'header', param: 'X-Mine' })),
    });
    expect(other.requests).toHaveLength(2);
    for (const request of [...other.requests, first.requests[1]]) {
      expect(JSON.stringify(request?.headers)).not.toMatch(/typed|a=b|sk_live/);
      expect(request?.headers['x-trace']).toBe('kept');
      // Not even what stands for a credential.
      expect(request?.headers).not.toHaveProperty('x-of');
    }
  });

  test('to another origin of a body with a credential is not followed', async () => {
    const other = await answering(200);
    const first = await answering(to(other.url(), 307));
    const result = await send(
      { method: 'POST', url: first.url(), body: '{"k": "{{credential.shop}}"}' },
      { followRedirects: true, credentials: credentials(aCredential({ hosts: ['127.0.0.1'] })) },
    );
    expect(result).toMatchObject({ type: 'failed', reason: 'redirect', requestSent: true });
    expect(other.requests).toEqual([]);
  });

  test('takes no more time than the whole exchange has', byTheClock, async () => {
    const receiver = await answering({ type: 'respond', status: 302, headers: { location: '/' }, delayMs: 150 });
    const startedMs = performance.now();
    const result = await send({ url: receiver.url() }, { followRedirects: true, timeoutMs: 400 });
    expect(result).toMatchObject({ type: 'failed', reason: 'timeout' });
    expect(performance.now() - startedMs).toBeLessThan(1_500);
  });
});

test.for([
  ['http://', 'invalid_request'],
  ['https://shop.example:0/', 'invalid_request'],
])('%s is not sent', async ([url, reason]) => {
  const result = await sendRequest(
    anEgress(),
    { method: 'GET', url: url ?? '', headers: [], body: null, bodyType: 'none', credential: null, markers: {} },
    { accountId: 'acme', credentials: new Map(), timeoutMs: 1_000, followRedirects: false },
  );
  expect(result).toMatchObject({ type: 'failed', reason, requestSent: false });
});

test('too much under way here is nobody’s fault', async () => {
  const receiver = await answering({ type: 'hang' });
  const egress = anEgress({ allow: '127.0.0.1', connectionsPerOrigin: 1 });
  const first = send({ url: receiver.url() }, { egress, timeoutMs: 800 });
  expect(await send({ url: receiver.url() }, { egress })).toEqual({ type: 'busy' });
  expect(await first).toMatchObject({ type: 'failed', reason: 'timeout', requestSent: true });
});
