import * as fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { parseEgressAllow, refusalReason } from '../../../../src/shared/platform/egress/addresses.ts';

const refused: [cidr: string, example: string, reason: string][] = [
  ['0.0.0.0/8', '0.0.0.0', 'unspecified'],
  ['10.0.0.0/8', '10.1.2.3', 'private'],
  ['172.16.0.0/12', '172.31.255.255', 'private'],
  ['192.168.0.0/16', '192.168.1.1', 'private'],
  ['100.64.0.0/10', '100.127.0.1', 'carrier-grade NAT'],
  ['100.100.100.200/32', '100.100.100.200', 'cloud metadata'],
  ['127.0.0.0/8', '127.255.0.1', 'loopback'],
  ['168.63.129.16/32', '168.63.129.16', 'cloud metadata'],
  ['169.254.0.0/16', '169.254.1.1', 'link-local'],
  ['169.254.169.254/32', '169.254.169.254', 'cloud metadata'],
  ['192.0.0.0/24', '192.0.0.192', 'reserved'],
  ['192.0.2.0/24', '192.0.2.1', 'documentation'],
  ['198.51.100.0/24', '198.51.100.1', 'documentation'],
  ['203.0.113.0/24', '203.0.113.1', 'documentation'],
  ['192.88.99.0/24', '192.88.99.1', '6to4 relay'],
  ['198.18.0.0/15', '198.19.255.255', 'benchmarking'],
  ['224.0.0.0/4', '239.255.255.250', 'multicast'],
  ['240.0.0.0/4', '250.1.2.3', 'reserved'],
  ['255.255.255.255/32', '255.255.255.255', 'broadcast'],
  ['::/128', '::', 'unspecified'],
  ['::1/128', '::1', 'loopback'],
  ['::/96', '::8.8.8.8', 'IPv4-compatible'],
  ['::ffff:0:0/96', '::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::ffff:0:0:0/96', '::ffff:0:8.8.8.8', 'IPv4-translated'],
  ['64:ff9b::/96', '64:ff9b::8.8.8.8', 'NAT64'],
  ['64:ff9b:1::/48', '64:ff9b:1::8.8.8.8', 'NAT64'],
  ['100::/64', '100::1', 'discard'],
  ['2001::/32', '2001:0:53aa::1', 'Teredo'],
  ['2001:2::/48', '2001:2::1', 'benchmarking'],
  ['2001:10::/28', '2001:1f::1', 'ORCHID'],
  ['2001:20::/28', '2001:2f::1', 'ORCHID'],
  ['2001::/23', '2001:1ff::1', 'reserved'],
  ['2001:db8::/32', '2001:db8::1', 'documentation'],
  ['3fff::/20', '3fff:fff::1', 'documentation'],
  ['2002::/16', '2002:808:808::1', '6to4'],
  ['5f00::/16', '5f00::1', 'reserved'],
  ['fc00::/7', 'fdff::1', 'unique local'],
  ['fd00:ec2::254/128', 'fd00:ec2::254', 'cloud metadata'],
  ['fe80::/10', 'febf::1', 'link-local'],
  ['fec0::/10', 'feff::1', 'site-local'],
  ['ff00::/8', 'ff02::1', 'multicast'],
  ['400::/6', '400::1', 'reserved'],
  ['4000::/3', '4000::1', 'reserved'],
  ['a000::/3', 'a000::1', 'reserved'],
];

const hostBits = (prefix: number, byteIndex: number) => 0xff >> Math.min(8, Math.max(0, prefix - byteIndex * 8));

/** Any address in the range: the network's bits, the rest at random. */
function addressIn(cidr: string) {
  const [network, prefix] = ipaddr.parseCIDR(cidr);
  const bytes = network.toByteArray();
  return fc
    .uint8Array({ minLength: bytes.length, maxLength: bytes.length })
    .map((random) => bytes.map((byte, i) => byte | ((random[i] ?? 0) & hostBits(prefix, i))))
    .map((mixed) => ipaddr.fromByteArray(mixed).toString());
}

const anyV4 = addressIn('0.0.0.0/0');
const anyAddress = fc.oneof(anyV4, addressIn('::/0'), addressIn('2000::/3'));
const port = fc.integer({ min: 1, max: 65_535 });

describe('refusalReason', () => {
  test.each(refused)('refuses %s, as %s: %s', (cidr, example, reason) => {
    expect(refusalReason(example, 443, [])).toBe(reason);
    fc.assert(fc.property(addressIn(cidr), port, (address, p) => refusalReason(address, p, []) !== undefined));
  });

  test.each(refused)('refuses the edges of %s', (cidr) => {
    const [network, prefix] = ipaddr.parseCIDR(cidr);
    const last = network.toByteArray().map((byte, i) => byte | hostBits(prefix, i));
    expect(refusalReason(network.toString(), 443, [])).toBeDefined();
    expect(refusalReason(ipaddr.fromByteArray(last).toString(), 443, [])).toBeDefined();
  });

  test('refuses every IPv6 form that carries an IPv4 address, a public one too', () => {
    fc.assert(
      fc.property(anyV4, (v4) => {
        const hex = Buffer.from(ipaddr.parse(v4).toByteArray())
          .toString('hex')
          .replace(/^(.{4})/, '$1:');
        for (const form of [
          `::${v4}`,
          `::ffff:${v4}`,
          `::ffff:0:${v4}`,
          `64:ff9b::${v4}`,
          `64:ff9b:1::${v4}`,
          `2002:${hex}::1`,
          `2001:0:${hex}::1`,
        ]) {
          expect(refusalReason(form, 443, [])).toBeDefined();
        }
      }),
    );
  });

  test('refuses whatever ipaddr.js, too, takes for anything but unicast', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        fc.pre(!['unicast', 'as112', 'as112v6'].includes(ipaddr.parse(address).range()));
        expect(refusalReason(address, 443, [])).toBeDefined();
      }),
    );
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
    '2003::1',
  ])('lets %s through', (address) => expect(refusalReason(address, 443, [])).toBeUndefined());

  test.each(['', 'localhost', '0x7f.1', '2130706433', '010.0.0.1', '1.2.3', '[::1]', '8.8.8.8 '])(
    'refuses %j, which is no address',
    (text) => expect(refusalReason(text, 443, parseEgressAllow('0.0.0.0/0,::/0'))).toBe('not an IP address'),
  );

  test('refuses an address with a zone id', () => {
    expect(refusalReason('fe80::1%eth0', 443, [])).toBe('link-local');
  });
});

describe('EGRESS_ALLOW', () => {
  test('without a port lets a range through on every port', () => {
    const allow = parseEgressAllow('127.0.0.0/8, fd00::/8');
    fc.assert(
      fc.property(addressIn('127.0.0.0/8'), port, (address, p) => refusalReason(address, p, allow) === undefined),
    );
    fc.assert(fc.property(addressIn('fd00::/8'), port, (address, p) => refusalReason(address, p, allow) === undefined));
    expect(refusalReason('126.0.0.1', 443, allow)).toBeUndefined();
    expect(refusalReason('10.0.0.1', 443, allow)).toBe('private');
    expect(refusalReason('fc00::1', 443, allow)).toBe('unique local');
  });

  test('with a port lets that port through and no other', () => {
    for (const [rule, address, reason] of [
      ['127.0.0.1:8443', '127.0.0.1', 'loopback'],
      ['10.0.0.0/8:8443', '10.20.30.40', 'private'],
      ['[::1]:8443', '::1', 'loopback'],
      ['[fd00::]/8:8443', 'fd12::1', 'unique local'],
    ] as const) {
      expect(refusalReason(address, 8443, parseEgressAllow(rule))).toBeUndefined();
      expect(refusalReason(address, 443, parseEgressAllow(rule))).toBe(reason);
    }
  });

  test('opens an IPv6 form of an IPv4 address only when that form is named', () => {
    expect(refusalReason('::ffff:127.0.0.1', 443, parseEgressAllow('127.0.0.0/8'))).toBe('IPv4-mapped');
    expect(refusalReason('127.0.0.1', 443, parseEgressAllow('::ffff:127.0.0.0/104'))).toBe('loopback');
    expect(refusalReason('::ffff:127.0.0.1', 443, parseEgressAllow('::ffff:127.0.0.0/104'))).toBeUndefined();
    expect(refusalReason('64:ff9b::808:808', 443, parseEgressAllow('64:ff9b::/96'))).toBeUndefined();
  });

  test('is empty for an empty text', () => {
    expect(parseEgressAllow(' , ')).toEqual([]);
  });

  test.each([
    ['localhost', 'is not an address'],
    ['0x7f.1', 'is not an address'],
    ['10.0.0', 'is not an address'],
    ['fe80::1%eth0', 'is not an address'],
    ['[10.0.0.1]', 'is not an address'],
    ['10.0.0.0/33', 'at most /32'],
    ['fd00::/129', 'at most /128'],
    ['127.0.0.1:0', '1 to 65535'],
    ['127.0.0.1:65536', '1 to 65535'],
    ['10.1.2.3/8', 'write 10.0.0.0/8 or 10.1.2.3'],
    ['fd00::1/8', 'write fd00::/8 or fd00::1'],
  ])('names the wrong entry %s', (entry, problem) => {
    const parse = () => parseEgressAllow(`10.0.0.0/8, ${entry}`);
    expect(parse).toThrow(`"${entry}"`);
    expect(parse).toThrow(problem);
  });
});
