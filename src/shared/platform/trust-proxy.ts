import { BlockList, isIPv6 } from 'node:net';
import { parseEgressAllow, type EgressRule } from './egress/addresses.ts';

/**
 * Whether the machine at `address` is a proxy that is trusted to name its client. `hop` counts from this process: 0 is the machine that is
 * connected to it.
 */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** Trusts no proxy. */
export const trustsNobody: TrustsProxy = () => false;

/**
 * Reads TRUST_PROXY: how many proxies a request passes (`1`), or their addresses and ranges (`10.0.0.0/8, ::1`). Throws an
 * Error that names what is wrong.
 */
export const parseTrustProxy = (text: string): TrustsProxy => {
  if (/^\d{1,2}$/.test(text.trim())) {
    const hops = Number(text);
    return (_address, hop) => hop < hops;
  }
  const proxies = new BlockList();
  for (const rule of parseEgressAllow(text)) addProxy(proxies, rule);
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
};

const addProxy = (proxies: BlockList, { range: [network, prefix], port }: EgressRule): void => {
  if (port !== undefined) throw new Error('takes no ports: a number of proxies, or addresses and CIDR ranges');
  if (prefix === 0) throw new Error(`"${network.toString()}/0" would let every client say who it is`);
  proxies.addSubnet(network.toString(), prefix, network.kind());
};
