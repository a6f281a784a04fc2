import type { Config } from '../../shared/platform/config.ts';

/** Which of the two addresses a request came to; `both` where they are one. */
export type Side = 'base' | 'api' | 'both';

/**
 * Tells the hosts of {base_url} and {api_url} apart by the Host header: a path that is asked on the wrong host is not there. Undefined for any
 * other host.
 */
export const sideOf = ({
  baseUrl,
  apiUrl,
}: Pick<Config, 'baseUrl' | 'apiUrl'>): ((host: string) => Side | undefined) => {
  const [base, api] = [new URL(baseUrl), new URL(apiUrl)];
  if (base.host === api.host) return () => 'both';
  return (host) => {
    // Parsed by URL, so that letter case and an explicit default port make no difference.
    if (URL.parse(`${api.protocol}//${host}`)?.host === api.host) return 'api';
    if (URL.parse(`${base.protocol}//${host}`)?.host === base.host) return 'base';
    return undefined;
  };
};
