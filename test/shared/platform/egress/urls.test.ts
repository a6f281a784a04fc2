import { describe, expect, test } from 'vitest';
import { parseEgressAllow } from '../../../../src/shared/platform/egress/addresses.ts';
import type { Lookup } from '../../../../src/shared/platform/egress/lookup.ts';
import { checkUrlLiteral } from '../../../../src/shared/platform/egress/urls.ts';
import { anEgress, namesAt, post } from './builders.ts';

const refusedHosts = [
  '10.0.0.1',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '0',
  '１２７.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.64.0.1',
  '192.168.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::10.0.0.1]',
  '[2002:7f00:1::]',
  '[2001:0:53aa:64c:0:0:80ff:fffe]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
];

describe('a refused address as host', () => {
  const nobody: Lookup = (name) => Promise.reject(new Error(`asked for ${name}`));

  test.each(refusedHosts)('%s cannot be registered', async (host) => {
    expect(checkUrlLiteral(`https://${host}/hook`, [])).toMatchObject({ ok: false, reason: 'refused_address' });
    expect(
      await anEgress({ lookup: nobody }).checkUrl({ url: `https://${host}/hook`, accountId: 'acme' }),
    ).toMatchObject({
      ok: false,
      reason: 'refused_address',
      message: expect.stringContaining('must be publicly reachable'),
    });
  });

  test.each(refusedHosts)('%s is not dialled', async (host) => {
    expect(await post(anEgress({ lookup: nobody }), `https://${host}/hook`)).toMatchObject({
      type: 'failed',
      reason: 'refused_address',
      requestSent: false,
    });
  });
});

describe('checkUrl', () => {
  test.each(['10.0.0.1', '127.0.0.1', '::1', '::ffff:8.8.8.8', '64:ff9b::808:808', 'fe80::1%eth0'])(
    'refuses a name that has only %s, and does not tell the address',
    async (address) => {
      const check = await anEgress({ lookup: namesAt(address) }).checkUrl({
        url: 'https://inside.test/',
        accountId: 'acme',
      });
      const message = expect.stringContaining('an operator can let it through with EGRESS_ALLOW');
      expect(check).toMatchObject({ ok: false, reason: 'refused_address', message });
      expect(JSON.stringify(check)).not.toContain(address);
    },
  );

  test('accepts a name with one refused and one public address', async () => {
    expect(
      await anEgress({ lookup: namesAt('10.0.0.1', '8.8.8.8') }).checkUrl({
        url: 'https://half.test/',
        accountId: 'acme',
      }),
    ).toEqual({
      ok: true,
    });
  });

  test('accepts what EGRESS_ALLOW lets through, on its port only', async () => {
    const egress = anEgress({ allow: '127.0.0.1:8443', lookup: namesAt('127.0.0.1') });
    expect(await egress.checkUrl({ url: 'https://127.0.0.1:8443/', accountId: 'acme' })).toEqual({ ok: true });
    expect(await egress.checkUrl({ url: 'https://receiver.test:8443/', accountId: 'acme' })).toEqual({ ok: true });
    expect(await egress.checkUrl({ url: 'https://127.0.0.1/', accountId: 'acme' })).toMatchObject({
      reason: 'refused_address',
    });
    expect(await egress.checkUrl({ url: 'https://receiver.test/', accountId: 'acme' })).toMatchObject({
      reason: 'refused_address',
    });
  });

  test('refuses a name that does not resolve', async () => {
    const lookup: Lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await anEgress({ lookup }).checkUrl({ url: 'https://nowhere.test/', accountId: 'acme' })).toMatchObject({
      reason: 'dns',
      message: expect.stringContaining('ENOTFOUND'),
    });
    expect(
      await anEgress({ lookup: namesAt() }).checkUrl({ url: 'https://empty.test/', accountId: 'acme' }),
    ).toMatchObject({
      reason: 'dns',
    });
  });

  test('gives up on a name server that does not answer', async () => {
    const lookup: Lookup = () => new Promise(() => {});
    const check = await anEgress({ lookup, lookupTimeoutMs: 50 }).checkUrl({
      url: 'https://slow.test/',
      accountId: 'acme',
    });
    expect(check).toMatchObject({ ok: false, reason: 'dns', message: expect.stringContaining('ETIMEOUT') });
  });

  test('knows localhost, and refuses it', async () => {
    expect(await anEgress().checkUrl({ url: 'https://localhost/', accountId: 'acme' })).toMatchObject({
      reason: 'refused_address',
    });
    expect(await anEgress().checkUrl({ url: 'https://localhost./', accountId: 'acme' })).toMatchObject({ ok: false });
  });

  test.each([
    ['', 'invalid'],
    ['/hook', 'invalid'],
    ['https://', 'invalid'],
    ['https://256.0.0.1/', 'invalid'],
    ['https://a..b/', 'invalid'],
    ['https://./', 'invalid'],
    ['https://127.0.0.1../', 'invalid'],
    ['https://[fe80::1%25eth0]/', 'invalid'],
    [`https://${'a'.repeat(64)}.test/`, 'invalid'],
    ['https://receiver.test:0/', 'invalid'],
    ['https://receiver.test:65536/', 'invalid'],
    ['http://receiver.test/', 'scheme'],
    ['ftp://receiver.test/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https://user@receiver.test/', 'credentials'],
    ['https://:secret@receiver.test/', 'credentials'],
  ])('rejects %j as %s without asking a name server', async (url, reason) => {
    const lookup = namesAt('8.8.8.8');
    expect(await anEgress({ lookup }).checkUrl({ url, accountId: 'acme' })).toMatchObject({ ok: false, reason });
    expect(lookup.asked).toEqual([]);
  });

  test('accepts plain http where the caller does', async () => {
    const egress = anEgress({ lookup: namesAt('8.8.8.8') });
    expect(
      await egress.checkUrl({ url: 'http://receiver.test/', accountId: 'acme', schemes: ['http:', 'https:'] }),
    ).toEqual({ ok: true });
    expect(checkUrlLiteral('http://8.8.8.8/', parseEgressAllow(''), ['http:'])).toEqual({ ok: true });
  });
});
