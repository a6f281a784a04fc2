/** Where a redirect leads, and what of the request goes there. */
export type Hop = {
  url: string;
  /** The same with its fragment, which is not sent. */
  named: string;
  method: string;
  /** False where the redirect turns the request into a GET. */
  keepsBody: boolean;
  /** Scheme, host or port is another: what proves who asks must stay behind. */
  crossesOrigin: boolean;
};

/** What is wrong with a redirect. */
export type BadHop = { problem: string };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The next hop of an answered request, by the rules of fetch; undefined when the answer is no redirect. A redirect from https to http is
 * refused: what was sent in secret would go on in clear.
 */
export const findHop = (
  { url, method }: { url: string; method: string },
  { status, headers }: { status: number; headers: Readonly<Record<string, string | string[]>> },
): Hop | BadHop | undefined => {
  const location = headers['location'];
  if (!redirects.has(status) || location === undefined) return undefined;
  const from = new URL(url);
  const to = typeof location === 'string' ? URL.parse(location, from.href) : null;
  if (!to || !/^https?:$/.test(to.protocol)) return { problem: 'it leads to no http address' };
  if (to.username !== '' || to.password !== '') return { problem: 'it leads to a url with a user name' };
  if (from.protocol === 'https:' && to.protocol === 'http:') return { problem: 'it leads from https to http' };
  const named = to.href;
  to.hash = '';
  const becomesGet = (status === 303 && method !== 'HEAD') || ((status === 301 || status === 302) && method === 'POST');
  return {
    url: to.href,
    named,
    method: becomesGet ? 'GET' : method,
    keepsBody: !becomesGet,
    crossesOrigin: to.origin !== from.origin,
  };
};
