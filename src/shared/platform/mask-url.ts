/** What stands in a url in the place of what was masked. */
export const hiddenPart = '…';

/**
 * A url without possible tokens: the values of the query, and parts of path and host that mean nothing to a reader (a UUID, the
 * last part of a Slack url). Whoever has such a url can post to its endpoint, so mails and agents get it masked.
 */
export const maskUrl = (url: string): string => {
  const [, scheme, place = '', path = '', query] = /^([a-z]+:[/\\]*)([^/\\?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  if (scheme === undefined) return hiddenPart;
  const shown = `${scheme}${maskPlace(place)}${path.replace(/[^/\\;]+/g, maskPart)}`;
  return query === undefined ? shown : `${shown}?${query.split('&').map(maskParameter).join('&')}`;
};

/**
 * The host of a url, and its port, as mails name a webhook: they are read in places that nobody knows, and a path may be a token that
 * looks like a word. Labels that look random are hidden here as well, because some services give each customer a host.
 */
export const maskedHost = (url: string): string => maskPlace(new URL(url).host);

/** A character stands for each placeholder while the rest is masked, so that what a placeholder has in it is no part of the url. */
const firstMark = 0xe000;

/** The same of a template, whose placeholders stay. One that is not closed is hidden. */
export const maskUrlTemplate = (template: string): string => {
  const placeholders: string[] = [];
  const marked = template.replace(/[\uE000-\uF8FF]/g, hiddenPart).replace(/\{\{[^{}]*\}\}/g, (placeholder) => {
    if (placeholders.length > 0xf8ff - firstMark) return hiddenPart;
    return String.fromCharCode(firstMark + placeholders.push(placeholder) - 1);
  });
  return maskUrl(marked).replace(
    /[\uE000-\uF8FF]/g,
    (mark) => placeholders[mark.charCodeAt(0) - firstMark] ?? hiddenPart,
  );
};

/** Replaces what is between placeholders. */
const replaceText = (text: string, replace: (text: string) => string): string =>
  text.replace(/[^\uE000-\uF8FF]+/g, replace);

const hide = (text: string): string => replaceText(text, () => hiddenPart);

const hideOpaque = (text: string): string => replaceText(text, (part) => (isOpaque(part) ? hiddenPart : part));

/** Hides user and password. The last two labels of the host stay, because they tell whose it is; so does an address. */
const maskPlace = (place: string): string => {
  const host = place.replace(/^.*@/s, '');
  const user = host === place ? '' : `${hiddenPart}@`;
  if (host.startsWith('[')) return `${user}${host}`;
  const labels = host.split('.');
  const isShown = (index: number): boolean => !labels[index + 1] || /^(?:$|:)/.test(labels[index + 2] ?? '');
  return user + labels.map((label, index) => (isShown(index) ? label : hideOpaque(label))).join('.');
};

/** The name of a parameter stays when it has a value. Alone it may be the token. */
const maskParameter = (text: string): string => {
  const [name = '', value] = splitOnce(text);
  return value === undefined ? hide(name) : `${hideOpaque(name)}=${hide(value)}`;
};

const maskPart = (text: string): string => {
  const [name = '', value] = splitOnce(text);
  return value === undefined ? hideOpaque(name) : `${hideOpaque(name)}=${hide(value)}`;
};

const splitOnce = (text: string): string[] => {
  const at = text.indexOf('=');
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

/** Whether a part looks random: long with digits or both cases of letters, or too long for a word. */
const isOpaque = (text: string): boolean =>
  text.length >= 12 && (/\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)) || /[^-_.]{24}/.test(text));
