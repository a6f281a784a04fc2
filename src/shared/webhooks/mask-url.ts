import type { WebhookRow } from './schema.ts';

const hidden = '…';

/**
 * A webhook's url without possible tokens: the values of the query, and parts of path and host that mean nothing to a reader (a UUID, the
 * last part of a Slack url). Whoever has such a url can post to its endpoint, so mails and agents get it masked.
 */
export const maskUrl = (url: string): string => {
  const [, scheme, place = '', path = '', query] = /^([a-z]+:[/\\]*)([^/\\?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  if (scheme === undefined) return hidden;
  const shown = `${scheme}${maskPlace(place)}${path.replace(/[^/\\;]+/g, maskPart)}`;
  return query === undefined ? shown : `${shown}?${query.split('&').map(maskParameter).join('&')}`;
};

/** Hides user and password. The last two labels of the host stay, because they tell whose it is; so does an address. */
const maskPlace = (place: string): string => {
  const host = place.replace(/^.*@/s, '');
  const user = host === place ? '' : `${hidden}@`;
  if (host.startsWith('[')) return `${user}${host}`;
  return `${user}${host.replace(/[^.]+(?=\.[^.]+\.[^.:])/g, (label) => (isOpaque(label) ? hidden : label))}`;
};

/** The name of a parameter stays when it has a value. Alone it may be the token. */
const maskParameter = (text: string): string => {
  const [name = '', value] = splitOnce(text);
  if (value === undefined) return name === '' ? '' : hidden;
  return `${isOpaque(name) ? hidden : name}=${value === '' ? '' : hidden}`;
};

const maskPart = (text: string): string => {
  const [name = '', value] = splitOnce(text);
  if (value === undefined) return isOpaque(name) ? hidden : name;
  return `${isOpaque(name) ? hidden : name}=${hidden}`;
};

const splitOnce = (text: string): string[] => {
  const at = text.indexOf('=');
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

/** Whether a part looks random: long with digits or both cases of letters, or too long for a word. */
const isOpaque = (text: string): boolean =>
  text.length >= 12 && (/\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)) || /[^-_.]{24}/.test(text));

/** A webhook as an agent may see it: without tokens of its url, and without the body that its endpoint answered. */
export const maskWebhook = (row: WebhookRow): WebhookRow => ({
  ...row,
  url: maskUrl(row.url),
  pendingUrl: row.pendingUrl === null ? null : maskUrl(row.pendingUrl),
  lastCheck: row.lastCheck === null ? null : { ...row.lastCheck, url: maskUrl(row.lastCheck.url), excerpt: null },
});
