import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../shared/platform/config.ts';
import { readAddress } from './client-address.ts';

/** Which of the two addresses a request came to; `both` where they are one. */
export type Side = 'base' | 'api' | 'both';

/** The Host header of a request, empty where HTTP/1.0 left it out, and its connection. */
type Asked = { host: string; req: { socket: Pick<IncomingMessage['socket'], 'localAddress'> } };

/**
 * Tells the hosts of {base_url} and {api_url} apart by the Host header: a path that is asked on the wrong host is not there. Undefined for any
 * other host: a web page could have a name of its own lead here (DNS rebinding). Where the two are one, names of this machine are no other
 * hosts, and neither is the address that the client has connected to, because no name server decides where these lead.
 */
export const sideOf = ({
  baseUrl,
  apiUrl,
}: Pick<Config, 'baseUrl' | 'apiUrl'>): ((asked: Asked) => Side | undefined) => {
  const [base, api] = [new URL(baseUrl), new URL(apiUrl)];
  // Parsed by URL, so that letter case and an explicit default port make no difference.
  const isAt = (place: URL, host: string): boolean => URL.parse(`${place.protocol}//${host}`)?.host === place.host;
  if (base.host === api.host)
    return (asked) => (isAt(base, asked.host) || isAt(api, asked.host) || isThisMachine(asked) ? 'both' : undefined);
  return ({ host }) => (isAt(api, host) ? 'api' : isAt(base, host) ? 'base' : undefined);
};

const isThisMachine = ({ host, req }: Asked): boolean => {
  if (host === '') return true;
  const name = URL.parse(`http://${host}`)?.hostname;
  if (name === 'localhost') return true;
  const address = readAddress(name ?? '');
  if (address === undefined) return false;
  return ipaddr.parse(address).range() === 'loopback' || address === readAddress(req.socket.localAddress ?? '');
};
