import { createSearch } from './search-texts.ts';

/** Hides secrets in what is kept and shown. */
export type Redactor = {
  /** The text with every secret, in any form in which it is likely to come, replaced. */
  redact: (text: string) => string;
  /** The beginning of a text, redacted: also a secret that the cut would have split is gone. */
  excerpt: (text: string, maxLength: number) => string;
  /** Whether a text has a secret in it. One of less than eight characters may be there by chance and does not count. */
  isIn: (text: string) => boolean;
};

const hidden = '[redacted]';

/** Shorter ones may be part of anything. */
export const leastTelling = 8;

/** Makes a redactor of the secrets as they are sent. */
export const createRedactor = (secrets: readonly string[]): Redactor => {
  const spellings = secrets.flatMap(spellingsOf);
  const search = createSearch(spellings);
  const telling = secrets.filter((secret) => secret.length >= leastTelling);
  const searchTelling = telling.length === secrets.length ? search : createSearch(telling.flatMap(spellingsOf));
  const redactUpTo = (text: string, end: number): string => {
    let redacted = '';
    let position = 0;
    for (const found of search(text)) {
      if (found.start >= end) break;
      redacted += text.slice(position, found.start) + hidden;
      position = found.end;
    }
    return redacted + text.slice(position, Math.max(position, end));
  };
  const longest = Math.max(0, ...spellings.map((spelling) => spelling.length));
  return {
    redact: (text) => redactUpTo(text, text.length),
    excerpt: (text, maxLength) => redactUpTo(text.slice(0, maxLength + longest), maxLength).slice(0, maxLength),
    isIn: (text) => !searchTelling(text).next().done,
  };
};

/** As it is, percent-encoded, escaped in JSON and HTML, in hexadecimal, and in base64, also within something longer. */
const spellingsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret.toWellFormed());
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret.toWellFormed());
  // RFC 3986 reserves these characters, which the function leaves.
  const inStrictUrl = inUrl.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return [
    secret,
    // The bytes of a header come as one character each.
    bytes.toString('latin1'),
    inJson,
    inJson.replaceAll('/', '\\/'),
    secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    secret.replace(/[&<>"]/g, (character) => entities.get(character) ?? character),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    inStrictUrl,
    inStrictUrl.replaceAll('%2F', '/'),
    inStrictUrl.replaceAll('%20', '+'),
    encodeURIComponent(inUrl),
    encodeURIComponent(inStrictUrl),
    bytes.toString('hex').replace(/../g, '%$&'),
    bytes.toString('hex'),
    ...base64Of(bytes),
  ];
};

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** What base64 makes of these bytes at each of the three places where they can begin, less what their neighbours decide. */
export const base64Of = (bytes: Uint8Array): string[] =>
  [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const known = text.slice(from, to);
    // Short ones would hide what is not meant.
    if (known.length < leastTelling) return [];
    return [known, known.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(known)];
  });

export const asPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
