import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A range that the operator lets through although the guard would refuse it, on every port or on one. */
export interface EgressRule {
  range: Range;
  port?: number;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * Why nothing may be sent to this address and port; undefined when it may. The guard refuses everything that is not globally reachable
 * unicast (IANA's special-purpose registries). It also refuses every IPv6 form that carries an IPv4 address, because such a form
 * reaches what a check of the plain address would have refused. A rule lets through only addresses of its own family, so that
 * `10.0.0.0/8` does not open `::ffff:10.0.0.1`.
 */
export function refusalReason(address: string, port: number, allow: EgressRule[]): string | undefined {
  const parsed = parseAddress(address);
  if (!parsed) return 'not an IP address';
  if (allow.some((rule) => (rule.port ?? port) === port && contains(rule.range, parsed))) return undefined;
  return refusedRanges.find(({ range }) => contains(range, parsed))?.reason;
}

/**
 * Reads EGRESS_ALLOW: a comma-separated list of addresses and CIDR ranges, each with an optional port, as in
 * `127.0.0.1:8443, 10.0.0.0/8, [::1]:8443, [fd00::]/8, [fd00::]/8:443`. Throws an Error that names the wrong entry.
 */
export function parseEgressAllow(text: string): EgressRule[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseRule);
}

/** The rule as an entry of EGRESS_ALLOW. */
export function showEgressRule({ range: [address, bits], port }: EgressRule): string {
  const network = address.kind() === 'ipv6' ? `[${address.toString()}]` : address.toString();
  const whole = bits === address.toByteArray().length * 8;
  return `${network}${whole ? '' : `/${bits}`}${port === undefined ? '' : `:${port}`}`;
}

function parseRule(entry: string): EgressRule {
  const match = RULE_V4.exec(entry) ?? RULE_V6_BRACKETED.exec(entry) ?? RULE_V6_BARE.exec(entry);
  const { host = '', bits, port } = match?.groups ?? {};
  const address = parseAddress(host);
  if (!address) throw new Error(`"${entry}" is not an address or a CIDR range with an optional port`);

  const width = address.toByteArray().length * 8;
  const prefix = bits === undefined ? width : Number(bits);
  if (prefix > width) throw new Error(`"${entry}": a prefix is at most /${width}`);
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) {
    throw new Error(`"${entry}": a port is 1 to 65535`);
  }
  // A slip such as 10.1.2.3/8 would open a whole network where one machine was meant.
  const network = networkOf(address, prefix);
  if (network.toString() !== address.toString()) {
    throw new Error(`"${entry}" is inside a range, not one: write ${network.toString()}/${prefix} or ${host}`);
  }
  return { range: [address, prefix], ...(port !== undefined && { port: Number(port) }) };
}

const RULE_V4 = /^(?<host>[\d.]+)(?:\/(?<bits>\d{1,3}))?(?::(?<port>\d{1,5}))?$/;
const RULE_V6_BRACKETED = /^\[(?<host>[\da-f]*:[\da-f:.]*)\](?:\/(?<bits>\d{1,3}))?(?::(?<port>\d{1,5}))?$/i;
const RULE_V6_BARE = /^(?<host>[\da-f]*:[\da-f:.]*)(?:\/(?<bits>\d{1,3}))?$/i;

// ipaddr.js gets only canonical text: it would also read 0x7f.1 and 010.0.0.1, and takes ::8.8.8.8 for ::ffff:8.8.8.8.
function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text)) return undefined;
  const withoutZone = text.replace(/%.*$/, '');
  return ipaddr.IPv6.parse(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
}

function contains([network, prefix]: Range, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, prefix);
}

function networkOf(address: Address, prefix: number): Address {
  const bytes = address.toByteArray();
  return ipaddr.fromByteArray(bytes.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - i * 8)))));
}

const range = (cidr: string, reason: string) => ({ range: ipaddr.parseCIDR(cidr), reason });

/** The first match names the reason, so a narrower range stands before a wider one. */
const refusedRanges: { range: Range; reason: string }[] = [
  range('0.0.0.0/8', 'unspecified'),
  range('10.0.0.0/8', 'private'),
  range('100.100.100.200/32', 'cloud metadata'),
  range('100.64.0.0/10', 'carrier-grade NAT'),
  range('127.0.0.0/8', 'loopback'),
  range('168.63.129.16/32', 'cloud metadata'),
  range('169.254.169.254/32', 'cloud metadata'),
  range('169.254.0.0/16', 'link-local'),
  range('172.16.0.0/12', 'private'),
  range('192.0.0.0/24', 'reserved'),
  range('192.0.2.0/24', 'documentation'),
  range('192.88.99.0/24', '6to4 relay'),
  range('192.168.0.0/16', 'private'),
  range('198.18.0.0/15', 'benchmarking'),
  range('198.51.100.0/24', 'documentation'),
  range('203.0.113.0/24', 'documentation'),
  range('224.0.0.0/4', 'multicast'),
  range('255.255.255.255/32', 'broadcast'),
  range('240.0.0.0/4', 'reserved'),

  range('::/128', 'unspecified'),
  range('::1/128', 'loopback'),
  range('::/96', 'IPv4-compatible'),
  range('::ffff:0:0/96', 'IPv4-mapped'),
  range('::ffff:0:0:0/96', 'IPv4-translated'),
  range('64:ff9b::/96', 'NAT64'),
  range('64:ff9b:1::/48', 'NAT64'),
  range('100::/64', 'discard'),
  range('2001::/32', 'Teredo'),
  range('2001:2::/48', 'benchmarking'),
  range('2001:10::/28', 'ORCHID'),
  range('2001:20::/28', 'ORCHID'),
  range('2001::/23', 'reserved'),
  range('2001:db8::/32', 'documentation'),
  range('2002::/16', '6to4'),
  range('3fff::/20', 'documentation'),
  range('fd00:ec2::254/128', 'cloud metadata'),
  range('fd20:ce::254/128', 'cloud metadata'),
  range('fc00::/7', 'unique local'),
  range('fe80::/10', 'link-local'),
  range('fec0::/10', 'site-local'),
  range('ff00::/8', 'multicast'),
  // Global unicast is 2000::/3 and nothing else. What has not been assigned yet is refused, too.
  range('::/3', 'reserved'),
  range('4000::/2', 'reserved'),
  range('8000::/1', 'reserved'),
];
