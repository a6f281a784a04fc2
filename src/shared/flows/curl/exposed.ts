import type { CurlRequest } from './compose.ts';
import { splitOnce, splitTemplate } from './placeholders.ts';

/** A text that stays in the url, where everybody who reads the flow sees it, and that may be a secret: it looks random. */
export type ExposedText = { text: string; name: string };

/** The most of them that are told. */
const mostExposed = 20;

/** What of a url may be a secret, in its order. `name` would be a placeholder for it. The account's own address is none. */
export const findExposed = ({ url }: CurlRequest, ownUrl: string | undefined): ExposedText[] => {
  const own = new Set(ownUrl !== undefined && url.startsWith(ownUrl) ? ownUrl.split('/') : []);
  const [place, query] = splitOnce(url, '?');
  const path = place.split('/').slice(3);
  const found = [
    ...path.flatMap((text, index) =>
      isExposed(text) && !own.has(text)
        ? [{ text, name: index === 0 ? 'token' : `${nameOf(path[index - 1])}_id` }]
        : [],
    ),
    ...splitTemplate(query ?? '', '&').flatMap((parameter) => {
      const [name, text = ''] = splitOnce(parameter, '=');
      return isExposed(text) ? [{ text, name: nameOf(name) }] : [];
    }),
  ];
  const once = new Map(found.map((one) => [one.text, one]));
  return [...once.values()].slice(0, mostExposed);
};

/** Letters beside three digits, or more letters than words have. A time is none, and neither is a placeholder. */
const isExposed = (text: string): boolean =>
  /^[\w:.~-]{12,}$/.test(text) &&
  !/^\d{4}-\d\d/.test(text) &&
  ((/[A-Za-z]/.test(text) && /(?:\d[^\d]*){3}/.test(text) && !/^[a-z]+(?:[-_.][a-z]+)*[-_.]?\d{1,4}$/i.test(text)) ||
    /[A-Za-z]{24}/.test(text));

const nameOf = (text = ''): string =>
  text
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .slice(0, 40) || 'part';
