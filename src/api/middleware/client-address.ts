import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Middleware } from 'koa';
import type { Config } from '../../shared/platform/config.ts';
import type { TrustsProxy } from '../../shared/platform/trust-proxy.ts';
import type { RequestState } from '../http.ts';

/** Finds the client's address for log, limits and sessions. */
export const clientAddress =
  ({ trustProxy }: Pick<Config, 'trustProxy'>): Middleware<RequestState> =>
  async (ctx, next) => {
    ctx.state.clientAddress = findClientAddress(ctx.req, trustProxy);
    await next();
  };

/**
 * The address of the client; undefined when the connection is gone already. X-Forwarded-For is read from its right end, where the nearest proxy
 * writes, as far as trusted proxies wrote it. What a client writes stands to the left of that. At an entry that is no address the proxy that
 * sent it counts as the client.
 */
export const findClientAddress = (
  { socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> },
  trustsProxy: TrustsProxy,
): string | undefined => {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  let address = readAddress(socket.remoteAddress ?? '');
  for (let hop = 0; address !== undefined && trustsProxy(address, hop); hop += 1) {
    const sender = readAddress(forwarded.pop() ?? '');
    if (sender === undefined) break;
    address = sender;
  }
  return address;
};

/** What is limited as one client: an IPv4 address, or the /64 from which one IPv6 client chooses its addresses. */
export const networkOf = (address: string): string =>
  address.includes(':') ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64` : address;

/** An address in canonical form, without port, brackets and zone. An IPv4 address inside IPv6 becomes IPv4. */
export const readAddress = (text: string): string | undefined => {
  const [, v4, v6] = /^(?:([\d.]+)|\[(.+)\])(?::\d{1,5})?$/.exec(text.trim()) ?? [];
  const bare = (v4 ?? v6 ?? text.trim()).replace(/%.*$/s, '');
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString();
};
