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
  const whole = formOf(secrets);
  const telling = formOf(secrets.filter((secret) => secret.length >= leastTelling));
  const redactUpTo = (text: string, end: number): string => {
    if (!whole) return text.slice(0, end);
    let redacted = '';
    let position = 0;
    for (const match of text.matchAll(whole)) {
      if (match.index >= end) break;
      redacted += text.slice(position, match.index) + hidden;
      position = match.index + match[0].length;
    }
    return redacted + text.slice(position, Math.max(position, end));
  };
  const longest = Math.max(0, ...secrets.flatMap(spellingsOf).map((spelling) => spelling.length));
  return {
    redact: (text) => redactUpTo(text, text.length),
    excerpt: (text, maxLength) => redactUpTo(text.slice(0, maxLength + longest), maxLength).slice(0, maxLength),
    isIn: (text) => telling !== undefined && text.search(telling) >= 0,
  };
};

/** One form for all spellings, the longest first: one may begin with another. */
const formOf = (secrets: readonly string[]): RegExp | undefined => {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].filter((spelling) => spelling !== '');
  if (spellings.length === 0) return undefined;
  const longestFirst = spellings.sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map(asPattern).join('|'), 'gi');
};

/** As it is, percent-encoded, escaped in JSON and HTML, in hexadecimal, and in base64, also within something longer. */
const spellingsOf = (secret: string): string[] => {
  const bytes = new TextEncoder().encode(secret.toWellFormed());
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret.toWellFormed());
  // RFC 3986 reserves these characters, which the function leaves.
  const inStrictUrl = inUrl.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return [
    secret,
    // The bytes of a header come as one character each.
    Buffer.from(bytes).toString('latin1'),
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
    [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
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
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const text = btoa(String.fromCodePoint(...padded)).replace(/=+$/, '');
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const known = text.slice(from, to);
    // Short ones would hide what is not meant.
    if (known.length < leastTelling) return [];
    return [known, known.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(known)];
  });

export const asPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
