/**
 * The host that a text names, as urls spell it: a name, `*.` and a name of two labels at least, or an address; an IPv6 address in
 * brackets. Undefined for everything else.
 */
export const readHost = (text: string): string | undefined => {
  const isWildcard = text.startsWith('*.');
  const name = isWildcard ? text.slice(2) : text;
  if (!/^[^\s*/\\?#@:[\]]+$/.test(name) && !/^\[[\da-f:.]+\]$/i.test(name)) return undefined;
  const host = URL.parse(`https://${name}/`)?.hostname.replace(/\.$/, '');
  if (!host) return undefined;
  if (!isWildcard) return host;
  // `*.com` is everybody, and an address has nothing below it.
  return /^([a-z\d_-]+\.)+[a-z][a-z\d-]*$/.test(host) ? `*.${host}` : undefined;
};

/** Whether a credential that is bound to these hosts may be sent to this one, which is spelt as a parsed url has it. */
export const mayBeSentTo = (hosts: readonly string[], hostname: string): boolean => {
  const host = hostname.replace(/\.$/, '');
  return hosts.some((bound) => (bound.startsWith('*.') ? host.endsWith(bound.slice(1)) : host === bound));
};
