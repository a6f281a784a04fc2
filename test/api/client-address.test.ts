import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findClientAddress, networkOf } from '../../src/api/middleware/client-address.ts';
import { parseTrustProxy } from '../../src/shared/platform/trust-proxy.ts';
import { useApi } from '../helpers/api.ts';

const api = await useApi({ config: { trustProxy: parseTrustProxy('1') } });

const clientOf = (forwarded: string | undefined, { trust = '', from = '10.0.0.1' } = {}) =>
  findClientAddress(
    { socket: { remoteAddress: from }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } },
    parseTrustProxy(trust),
  );

test.for([
  ['nobody is trusted', '', '203.0.113.7', '10.0.0.1'],
  ['no proxy, spelt out', '0', '203.0.113.7', '10.0.0.1'],
  ['one hop', '1', '203.0.113.7', '203.0.113.7'],
  ['one hop, and what the client wrote', '1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['two hops', '2', '198.51.100.1, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
  ['two hops, of which the request passed one', '2', '203.0.113.7', '203.0.113.7'],
  ['no header', '1', undefined, '10.0.0.1'],
  ['a range', '10.0.0.0/8', '198.51.100.1, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
  ['a range that who is connected is not in', '10.9.0.0/16', '203.0.113.7', '10.0.0.1'],
  ['nobody but proxies', '10.0.0.0/8', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
  ['ports', '10.0.0.0/8', '203.0.113.7:4711, 10.2.2.2:80', '203.0.113.7'],
  ['brackets and a port', '1', '[2001:DB8::0:7]:4711', '2001:db8::7'],
  ['brackets', '1', '[2001:db8::7]', '2001:db8::7'],
  ['IPv4 in IPv6', '1', '::ffff:203.0.113.7', '203.0.113.7'],
  ['a zone', '1', 'fe80::7%eth0', 'fe80::7'],
  ['garbage', '1', 'unknown', '10.0.0.1'],
  ['garbage to the left', '1', '"><script>, 203.0.113.7', '203.0.113.7'],
  ['garbage between', '2', '203.0.113.7, _hidden, 10.0.0.2', '10.0.0.2'],
  ['an empty entry', '1', '203.0.113.7, ', '10.0.0.1'],
  ['numbers that only look like addresses', '1', '0x7f.1', '10.0.0.1'],
  ['another such', '1', '2130706433', '10.0.0.1'],
] as const)('%s: TRUST_PROXY "%s" and "%s" is %s', ([, trust, forwarded, expected]) => {
  expect(clientOf(forwarded, { trust })).toBe(expected);
});

test('a proxy on the same machine is trusted in either family, and as IPv4 in IPv6', () => {
  const trust = '127.0.0.1, ::1';
  for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    expect(clientOf('203.0.113.7', { trust, from })).toBe('203.0.113.7');
  }
});

test('whatever a client writes, the entry that the trusted proxy added counts', () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (written, address) => {
      expect(clientOf(`${written}, ${address}`, { trust: '1' })).toBe(clientOf(address, { trust: '1' }));
    }),
  );
});

test.for([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
])('%s is limited as %s', ([address = '', network]) => {
  expect(networkOf(address)).toBe(network);
});

test.for(['10.0.0.0/8:443', '127.0.0.1:80', '10.0.0.1/8', 'proxy.example.com', '0.0.0.0/0', '::/0', '-1', '100'])(
  'TRUST_PROXY "%s" is refused',
  (text) => {
    expect(() => parseTrustProxy(text)).toThrow(/\S/);
  },
);

test('the log tells the address that the proxy gives, and several headers are read as one', async () => {
  const headers = { 'x-forwarded-for': ['198.51.100.1', '203.0.113.7'] };
  await api.request('GET', '/v1/contacts', { headers });
  const [line] = api.logged.filter((text) => text.includes('api.request'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ client_address: '203.0.113.7' });
});

test('behind a proxy one client cannot use up the tries of another', async () => {
  const { email, password } = await api.createAccount();
  const signIn = (from: string, body: object) =>
    api.request('POST', '/dashboard/api/session', { body, headers: { origin: api.url, 'x-forwarded-for': from } });
  await Promise.all(Array.from({ length: 100 }, () => signIn('203.0.113.7', {})));
  expect((await signIn('203.0.113.7', { email, password })).status).toBe(429);
  expect((await signIn('203.0.113.8', { email, password })).status).toBe(200);
});
