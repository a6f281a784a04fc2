import { createHmac } from 'node:crypto';
import { assert, asyncProperty, nat, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequestHeaders } from '../../../packages/verify/src/index.ts';
import { signDelivery } from '../../../src/shared/signing/signature.ts';
import { apiBody, entries, secret, serviceSignature, signed } from './requests.ts';

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Signed by the service's own code, with both signatures. */
const sent = ({ body = apiBody, key = secret, at = nowSeconds() } = {}) => {
  const headers = signDelivery({ secret: key, body: Buffer.from(body), id: 'dlv_1', timestampSeconds: at });
  return { body: Buffer.from(body), headers, secrets: key, toleranceSeconds: 300 };
};

const flipBit = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === Math.floor(bit / 8) ? byte ^ (1 << (bit % 8)) : byte));

describe.each(entries)('$entry', ({ verify }) => {
  test('takes the documented vector: lowercase hex HMAC-SHA256 of the raw bytes, keyed with the whole secret', async () => {
    const body = '{"challenge":"abc"}';
    // From: printf '%s' "$body" | openssl dgst -sha256 -hmac 'whsec_c2VjcmV0'
    const signature = 'a44d8d6499170c2f3bfd5671508418ca6fbd5707c50e316f5919e4c4bfa390bb';
    expect(await verify({ body, headers: { 'x-service-signature': signature }, secrets: 'whsec_c2VjcmV0' })).toEqual({
      type: 'challenge',
      challenge: 'abc',
    });
  });

  test.each(['plain', 'whsec_c2VjcmV0c2VjcmV0', 'whsec_not base64', 'whsec_', 'ünïcode'])(
    'takes both signatures that the service makes with the secret %j',
    async (key) => {
      expect(await verify(sent({ key }))).toMatchObject({ type: 'api', id: 'dlv_1' });
    },
  );

  test('takes whatever the service signs', async () => {
    const property = asyncProperty(string(), string({ minLength: 1 }), async (challenge, key) => {
      const body = JSON.stringify({ challenge });
      expect(await verify(sent({ body, key }))).toEqual({ type: 'challenge', challenge });
    });
    await assert(property);
  });

  test('refuses a body of which any bit is flipped, by either signature', async () => {
    const request = sent();
    const bits = nat({ max: request.body.length * 8 - 1 });
    const property = asyncProperty(bits, async (bit) => {
      const body = flipBit(request.body, bit);
      await expect(verify({ ...request, body })).rejects.toMatchObject({ code: 'signature_mismatch', status: 401 });
      const headers = { ...request.headers, 'X-Service-Signature': serviceSignature(body) };
      await expect(verify({ ...request, body, headers })).rejects.toMatchObject({
        code: 'signature_mismatch',
        message: expect.stringContaining('webhook-signature'),
      });
    });
    await assert(property);
  });

  test.each(['X-Service-Signature', 'webhook-signature', 'webhook-id', 'webhook-timestamp'])(
    'refuses a %s of which any bit is flipped',
    async (name) => {
      const { headers, ...request } = sent();
      const value = Buffer.from(headers[name] ?? '');
      for (let bit = 0; bit < value.length * 8; bit += 1) {
        const flipped = Buffer.from(flipBit(value, bit)).toString('latin1');
        await expect(verify({ ...request, headers: { ...headers, [name]: flipped } })).rejects.toMatchObject({
          status: 401,
        });
      }
    },
  );

  test('refuses another secret, and takes any of several while one replaces another', async () => {
    await expect(verify({ ...sent(), secrets: 'another' })).rejects.toMatchObject({ code: 'signature_mismatch' });
    expect(await verify({ ...sent(), secrets: ['another', secret] })).toMatchObject({ id: 'dlv_1' });
    expect(await verify({ ...sent(), secrets: [secret, 'another'] })).toMatchObject({ id: 'dlv_1' });
  });

  test('takes one right signature among several of Standard Webhooks, and ignores versions it does not know', async () => {
    const { headers, ...request } = sent();
    const other = createHmac('sha256', 'other').digest('base64');
    const several = `v1a,abc v1,${other} ${headers['webhook-signature']}`;
    expect(await verify({ ...request, headers: { ...headers, 'webhook-signature': several } })).toBeDefined();
  });

  test.each([undefined, 300])(
    'takes either secret while the service signs with both, and no other, at a tolerance of %s',
    async (toleranceSeconds) => {
      const body = Buffer.from(apiBody);
      const signing = { secret: 'the new one', previousSecret: 'the old one' };
      const headers = signDelivery({ ...signing, body, id: 'dlv_1', timestampSeconds: nowSeconds() });
      const request = { body, headers, ...(toleranceSeconds !== undefined && { toleranceSeconds }) };
      for (const secrets of ['the new one', 'the old one', ['the old one', 'the new one']]) {
        expect(await verify({ ...request, secrets })).toMatchObject({ id: 'dlv_1' });
        const other = flipBit(body, 8 * 20);
        await expect(verify({ ...request, body: other, secrets })).rejects.toMatchObject({
          code: 'signature_mismatch',
        });
      }
      await expect(verify({ ...request, secrets: 'another' })).rejects.toMatchObject({ code: 'signature_mismatch' });
    },
  );

  test('refuses a right signature that is older or newer than tolerated, and says by how much', async () => {
    await expect(verify(sent({ at: nowSeconds() - 310 }))).rejects.toMatchObject({
      code: 'too_old',
      status: 401,
      message: expect.stringMatching(/31\d s ago, more than the 300 s/),
    });
    await expect(verify(sent({ at: nowSeconds() + 310 }))).rejects.toMatchObject({ code: 'too_new' });
    expect(await verify(sent({ at: nowSeconds() - 290 }))).toBeDefined();
    expect(await verify(sent({ at: nowSeconds() + 290 }))).toBeDefined();
  });

  test('does not look at the time of what is not signed rightly', async () => {
    const request = { ...sent({ at: 0 }), secrets: 'another' };
    await expect(verify(request)).rejects.toMatchObject({ code: 'signature_mismatch' });
  });

  test('does not let id and time change places with the body around the full stops between them', async () => {
    const body = '{"challenge":"x.1.{}"}';
    const { headers, ...request } = sent({ body });
    const shifted = {
      ...headers,
      'X-Service-Signature': serviceSignature('{}"}'),
      'webhook-id': `dlv_1.${headers['webhook-timestamp']}.{"challenge":"x`,
      'webhook-timestamp': '1',
    };
    await expect(verify({ ...request, body: '{}"}', headers: shifted, toleranceSeconds: 9e9 })).rejects.toMatchObject({
      code: 'malformed_header',
    });
  });

  test.each<[string, Record<string, string | string[] | undefined>, string, string]>([
    ['no signature', { 'X-Service-Signature': undefined }, 'missing_header', 'no x-service-signature header'],
    ['an empty one', { 'X-Service-Signature': '' }, 'missing_header', 'no x-service-signature header'],
    ['upper case', { 'X-Service-Signature': serviceSignature(apiBody).toUpperCase() }, 'malformed_header', 'lowercase'],
    ['one cut short', { 'X-Service-Signature': serviceSignature(apiBody).slice(2) }, 'malformed_header', '64'],
    ['two of them', { 'x-service-signature': serviceSignature(apiBody) }, 'malformed_header', 'more than once'],
    ['no id', { 'webhook-id': undefined }, 'missing_header', 'no webhook-id header'],
    ['no time', { 'webhook-timestamp': undefined }, 'missing_header', 'no webhook-timestamp header'],
    ['a time that is none', { 'webhook-timestamp': '1e9' }, 'malformed_header', 'Unix seconds'],
    ['no v1 signature', { 'webhook-signature': 'v2,abc' }, 'malformed_header', '"v1,"'],
  ])('says what is wrong: %s', async (_, change, code, message) => {
    const { headers, ...request } = sent();
    await expect(verify({ ...request, headers: { ...headers, ...change } })).rejects.toMatchObject({
      name: 'WebhookVerificationError',
      code,
      status: 401,
      message: expect.stringContaining(message),
    });
  });

  test.each<[string, (headers: Record<string, string>) => RequestHeaders]>([
    ['of any case', (headers) => headers],
    ['of Fetch', (headers) => new Headers(headers)],
    ['of Node', (headers) => Object.fromEntries(new Headers(headers))],
    [
      'in lists of one',
      (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
  ])('reads headers %s', async (_, as) => {
    const { headers, ...request } = sent();
    expect(await verify({ ...request, headers: as(headers) })).toMatchObject({ id: 'dlv_1' });
  });

  test('reads a body as Buffer, Uint8Array, a part of one, ArrayBuffer and text', async () => {
    const bytes = new Uint8Array(Buffer.from(apiBody));
    const within = Buffer.from(`..${apiBody}..`).subarray(2, -2);
    for (const body of [Buffer.from(apiBody), bytes, within, bytes.buffer, apiBody])
      expect(await verify({ ...signed(), body })).toMatchObject({ id: 'dlv_1' });
  });

  test('throws a TypeError for what cannot be meant: a parsed body, no secret, an empty one, no tolerance', async () => {
    const parsed: unknown = JSON.parse(apiBody);
    const nothing: unknown = undefined;
    await expect(verify({ ...signed(), body: parsed as string })).rejects.toThrow(/JSON parser/);
    for (const secrets of ['', [], [secret, ''], nothing as string])
      await expect(verify({ ...signed(), secrets })).rejects.toThrow(TypeError);
    await expect(verify({ ...sent(), toleranceSeconds: NaN })).rejects.toThrow(TypeError);
  });
});
