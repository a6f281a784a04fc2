import type { Config } from '../../shared/platform/config.ts';

/** Which of the two addresses a request came to; `both` where they are one. */
export type Side = 'base' | 'api' | 'both';

/**
 * Tells the hosts of {base_url} and {api_url} apart by the Host header, for a path asked on the wrong one is not there.
 * Any other host is neither's: undefined.
 */
export const sideOf = ({
  baseUrl,
  apiUrl,
}: Pick<Config, 'baseUrl' | 'apiUrl'>): ((host: string) => Side | undefined) => {
  const [base, api] = [new URL(baseUrl), new URL(apiUrl)];
  if (base.host === api.host) return () => 'both';
  return (host) => {
    // Through URL, so that letter case and a default port that is spelt out make no difference.
    if (URL.parse(`${api.protocol}//${host}`)?.host === api.host) return 'api';
    if (URL.parse(`${base.protocol}//${host}`)?.host === base.host) return 'base';
    return undefined;
  };
};
