import type { WebhookRow } from './schema.ts';

const hidden = '…';

/**
 * A webhook's url without what may be a token: values of the query, and parts of the path and of the host that say nothing to
 * a reader (the last one of Slack's, a UUID). Whoever has such a url can post to its endpoint, so that mails and agents get it
 * like this.
 */
export const maskUrl = (url: string): string => {
  const [, scheme, place = '', path = '', query] = /^([a-z]+:[/\\]*)([^/\\?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  if (scheme === undefined) return hidden;
  const shown = `${scheme}${maskPlace(place)}${path.replace(/[^/\\;]+/g, maskPart)}`;
  return query === undefined ? shown : `${shown}?${query.split('&').map(maskParameter).join('&')}`;
};

/** User and password are hidden; of the host's labels the last two stay, which tell whose it is, and so does an address. */
const maskPlace = (place: string): string => {
  const host = place.replace(/^.*@/s, '');
  const user = host === place ? '' : `${hidden}@`;
  if (host.startsWith('[')) return `${user}${host}`;
  return `${user}${host.replace(/[^.]+(?=\.[^.]+\.[^.:])/g, (label) => (isOpaque(label) ? hidden : label))}`;
};

/** A parameter's name stays where it tells something; alone it may be the token. */
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

/** Long, and with digits or both cases of letters among the others, or too long for a word: nothing that a person chose. */
const isOpaque = (text: string): boolean =>
  text.length >= 12 && (/\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)) || /[^-_.]{24}/.test(text));

/** A webhook as an agent may see it. */
export const maskWebhook = (row: WebhookRow): WebhookRow => ({
  ...row,
  url: maskUrl(row.url),
  pendingUrl: row.pendingUrl === null ? null : maskUrl(row.pendingUrl),
  lastCheck: row.lastCheck === null ? null : { ...row.lastCheck, url: maskUrl(row.lastCheck.url) },
});
