import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenCredential } from '../../../src/shared/credentials/open.ts';
import { createSecretFinder } from '../../../src/shared/external-requests/find-secret.ts';
import { sendRequest } from '../../../src/shared/external-requests/send-request.ts';
import { cpuMsOf } from '../../helpers/cpu-time.ts';
import { secretNames } from '../../helpers/secret-names.ts';
import { startReceiver, type Receiver } from '../../helpers/receiver.ts';
import { anEgress } from '../platform/egress/builders.ts';
import { aCredential, credentials, rendered } from './builders.ts';

const secret = 'sk_live/4711 +ä&x';
const bytes = Buffer.from(secret);
const inHex = bytes.toString('hex');

let shop: Receiver;
let stranger: Receiver;
beforeAll(async () => {
  [shop, stranger] = [await startReceiver(), await startReceiver()];
});
afterAll(() => Promise.all([shop.close(), stranger.close()]));

/** Sends a request to the shop, which answers with a redirect; tells what came of it, and what the stranger got. */
const redirected = async (
  fields: Readonly<Record<string, unknown>>,
  location: string,
  { status = 307, credential }: { status?: number; credential?: OpenCredential } = {},
) => {
  const before = stranger.requests.length;
  shop.respondWith([{ type: 'respond', status, headers: { location } }, 200]);
  const result = await sendRequest(anEgress({ allow: '127.0.0.0/8' }), rendered({ url: shop.url('/a'), ...fields }), {
    accountId: 'acme',
    credentials: credentials(...(credential ? [credential] : [])),
    timeoutMs: 60_000,
    followRedirects: true,
  });
  return { result, got: stranger.requests.slice(before) };
};

const stopped = { type: 'failed', reason: 'redirect', requestSent: true };

const hosts = ['127.0.0.1'];
const byType: readonly OpenCredential[] = [
  aCredential({ hosts, secret, type: 'query', param: 'k' }),
  aCredential({ hosts, secret: 'sk_live_4711', type: 'header', param: 'X-Mine' }),
  aCredential({ hosts, secret: 'sk_live_4711' }),
  aCredential({ hosts, secret: 'ada:correct horse', type: 'basic' }),
];

describe.for([301, 302, 303, 307, 308])('a redirect of status %i to another origin that repeats a secret', (status) => {
  test.for(byType)('of the type $type is not followed', async (credential) => {
    const [, password] = credential.secret.split(':');
    const repeated = new URLSearchParams({ k: password ?? credential.secret }).toString();
    const location = stranger.url(`/b?${repeated}`);
    const { result, got } = await redirected({ method: 'POST', credential: 'shop' }, location, { status, credential });
    expect(result).toMatchObject({ ...stopped, message: 'its url has a secret that may not leave its origin' });
    expect(got).toEqual([]);
  });
});

const spellings: readonly (readonly [string, string])[] = [
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded in small letters', encodeURIComponent(secret).toLowerCase()],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['percent-encoded three times', encodeURIComponent(encodeURIComponent(encodeURIComponent(secret)))],
  ['percent-encoded byte by byte', inHex.replace(/../g, '%$&')],
  ['percent-encoded in part', encodeURIComponent(secret).replace('_', '%5F').replace('s', '%73')],
  ['as a form has it', new URLSearchParams([['', secret]]).toString().slice(1)],
  ['as a form has it, encoded again', encodeURIComponent(new URLSearchParams([['', secret]]).toString())],
  ['in hexadecimal', inHex],
  ['in capital hexadecimal', inHex.toUpperCase()],
  ['in base64', encodeURIComponent(bytes.toString('base64'))],
  ['in base64 that is not encoded', bytes.toString('base64')],
  ['in base64 for urls', bytes.toString('base64url')],
  ['in base64 of a whole query', Buffer.from(`/a?k=${encodeURIComponent(secret)}`).toString('base64url')],
  ['in base64 of JSON', Buffer.from(JSON.stringify({ to: '/a', k: secret })).toString('base64url')],
];

const places: readonly (readonly [string, (text: string) => string])[] = [
  ['query', (text) => `/b?to=1&k=${text}&x=2`],
  ['path', (text) => `/b/${text}/c`],
  ['fragment', (text) => `/b#${text}`],
];

describe.for(spellings)('a secret %s is found', ([, text]) => {
  test.for(places)('in the %s', async ([, inPlace]) => {
    const credential = aCredential({ hosts, secret, type: 'query', param: 'k' });
    const { result, got } = await redirected({ credential: 'shop' }, stranger.url(inPlace(text)), { credential });
    expect(result).toMatchObject(stopped);
    expect(got).toEqual([]);
  });
});

describe('a secret is found in an authority', () => {
  const credential = aCredential({ hosts, secret: 'Sk_live_4711ü', type: 'query', param: 'k' });
  test.for([
    ['user', 'https://sk_live_4711%C3%BC@127.0.0.1/'],
    ['password', 'https://a:sk_live_4711%C3%BC@127.0.0.1/'],
    ['label', 'https://sk_live_4711%C3%BC.localhost/'],
    ['label of full width', `https://${encodeURIComponent('ｓｋ_live_4711ü')}.localhost/`],
  ] as const)('as a %s', async ([, location]) => {
    expect((await redirected({ credential: 'shop' }, location, { credential })).result).toMatchObject(stopped);
  });
});

test.for(['hunter2', 'a b', '7', 'ä'])('the short secret "%s" is found as a whole word', async (word) => {
  const credential = aCredential({ hosts, secret: word, type: 'query', param: 'k' });
  for (const location of [`/b?k=${encodeURIComponent(word)}`, `/${encodeURIComponent(encodeURIComponent(word))}/c`]) {
    const { result } = await redirected({ credential: 'shop' }, stranger.url(location), { credential });
    expect(result).toMatchObject(stopped);
  }
  const { got } = await redirected({ credential: 'shop' }, stranger.url(`/b?k=x${word}x`), { credential });
  expect(got).toHaveLength(1);
});

test('a redirect to another origin without a secret is followed', async () => {
  const { result, got } = await redirected({ credential: 'shop' }, stranger.url('/b?k=sk_live&to=%2Fa+b%ZZ#sk'), {
    credential: aCredential({ hosts, secret, type: 'query', param: 'k' }),
  });
  expect(result).toMatchObject({ type: 'answered' });
  expect(got).toHaveLength(1);
});

test('a redirect within the origin that repeats the secret is followed', async () => {
  const credential = aCredential({ hosts, secret, type: 'query', param: 'k' });
  const { result } = await redirected({ credential: 'shop' }, `/b?k=${encodeURIComponent(secret)}`, { credential });
  expect(result).toMatchObject({ type: 'answered' });
});

describe.for([307, 308])('a redirect of status %i to another origin keeps back a body', (status) => {
  const credential = aCredential({ hosts, secret: 'sk_live_4711', type: 'header', param: 'X-Mine' });
  test.for([
    ['with a credential in it', { body: '{"k": "{{credential.shop}}"}' }],
    ['with a form that has one', { form: { k: '{{credential.shop}}' } }],
    ['with raw text that has one', { body_type: 'raw', body: 'k={{credential.shop}}' }],
    ['with the same secret typed into it', { body: '{"k": "sk_live_4711"}' }],
    ['with a field of a form that is secret by its name', { form: { password: 'typed' } }],
    ['with what a header has that is secret by its name', { headers: { 'X-Passwd': 'typed' }, body: '{"k": "typed"}' }],
  ] as const)('%s', async ([, fields]) => {
    const { result, got } = await redirected({ method: 'POST', credential: 'shop', ...fields }, stranger.url('/b'), {
      status,
      credential,
    });
    expect(result).toMatchObject({ ...stopped, message: 'its body has a secret that may not leave its origin' });
    expect(got).toEqual([]);
  });

  test('with no secret goes on', async () => {
    const { got } = await redirected(
      { method: 'POST', credential: 'shop', body: '{"size": "L"}' },
      stranger.url('/b'),
      { status, credential },
    );
    expect(got.map(({ rawBody }) => rawBody.toString())).toEqual(['{"size": "L"}']);
  });
});

test('no header that is secret by its name or has a secret in it goes to another origin', async () => {
  const settable = secretNames.filter((name) => !/^proxy-/i.test(name));
  const sets = Array.from({ length: Math.ceil(settable.length / 15) }, (_, index) =>
    settable.slice(index * 15, (index + 1) * 15),
  );
  const credential = aCredential({ hosts, secret: 'sk_live_4711', type: 'header', param: 'X-Mine' });
  for (const names of sets) {
    const headers = {
      ...Object.fromEntries(names.flatMap((name) => [[name, 'typed']])),
      'X-One': '{{credential.shop}}',
      'X-Two': `Key ${Buffer.from('a:sk_live_4711').toString('base64')}`,
      'X-Trace': 'kept',
    };
    const { got } = await redirected({ credential: 'shop', headers }, stranger.url('/b'), { credential });
    expect(got).toHaveLength(1);
    expect(got[0]?.headers['x-trace']).toBe('kept');
    expect(JSON.stringify(got[0]?.headers)).not.toMatch(/typed|sk_live|credential|c2tfbGl2/);
    expect(Object.keys(got[0]?.headers ?? {})).not.toContain('x-one');
  }
});

test.for(['api_key', 'token', 'X-Key', 'sig', 'Auth'])(
  'a parameter %s that is secret by its name does not go to another origin',
  async (name) => {
    const location = stranger.url(`/b?${encodeURIComponent(name)}=typed`);
    for (const fields of [{ query: { [name]: 'typed' } }, { url: shop.url(`/a?${name}=typed`) }]) {
      const { result, got } = await redirected(fields, location);
      expect(result).toMatchObject(stopped);
      expect(got).toEqual([]);
    }
  },
);

test('64 kB are searched for a hundred secrets in less than a quarter of a second', () => {
  const finder = createSecretFinder(Array.from({ length: 100 }, (_, index) => `sk_live_${index}_${'x'.repeat(30)}`));
  for (const text of ['%25'.repeat(20_000), 'sk_live_'.repeat(8_000), '+'.repeat(64_000), 'A'.repeat(64_000)])
    expect(cpuMsOf(() => finder(`https://a.example/${text}`))).toBeLessThan(250);
});
