import { domainToUnicode } from 'node:url';
import { inUnicodeForm } from '../platform/unicode-form.ts';
import { asPattern, base64Of, leastTelling } from './redact.ts';

/** How often a text may have been percent-encoded. */
const mostRounds = 4;

/** As much of a long secret's end as is compared, in characters: it bounds what a search costs. */
const tailLength = 16;

/**
 * Makes a search for secrets in what another service wrote. It finds them percent-encoded in whole or in part, also several times, as a form, JSON,
 * hexadecimal and base64 have them, and in letters that a host takes for others. A secret of less than eight characters is found where no letter
 * or digit stands beside it.
 */
export const createSecretFinder = (secrets: readonly string[]): ((text: string) => boolean) => {
  const isLong = (secret: string): boolean => fold(secret).length >= leastTelling;
  const isLongIn = createSearch(secrets.filter(isLong).flatMap(spellingsOf));
  const short = formOfShort(secrets.filter((secret) => secret !== '' && !isLong(secret)));
  return (text) => readingsOf(text).some((reading) => isLongIn(reading) || (short?.test(reading) ?? false));
};

/** What decoding percent signs does not bring to light. */
const spellingsOf = (secret: string): string[] => {
  const inUrl = encodeURIComponent(secret.toWellFormed());
  const written = [secret, JSON.stringify(secret).slice(1, -1), inUrl, inUrl.replaceAll('%20', '+')];
  return [...new Set(written)].flatMap((form) => {
    const bytes = Buffer.from(form);
    return [form, bytes.toString('hex'), ...base64Of(bytes)];
  });
};

/** Finds any of some texts of at least eight characters. Its cost grows with the text alone: it looks up what ends at each place. */
const createSearch = (texts: readonly string[]): ((text: string) => boolean) => {
  const tails = new Set(texts.map((text) => fold(text).slice(-tailLength)));
  const byEnd = Map.groupBy(tails, endOf);
  return (text) => {
    let end = 0;
    for (let at = 0; at < text.length; at += 1) {
      end = roll(end, text.charCodeAt(at));
      if (byEnd.get(end)?.some((tail) => text.startsWith(tail, at + 1 - tail.length))) return true;
    }
    return false;
  };
};

/** A number for the last eight characters of a text. */
const endOf = (text: string): number => {
  let end = 0;
  for (let at = Math.max(0, text.length - leastTelling); at < text.length; at += 1)
    end = roll(end, text.charCodeAt(at));
  return end;
};

/** The number that follows when a text grows by one: the ninth character from the end is shifted out. */
const roll = (end: number, character: number): number => ((end << 4) + character) | 0;

const formOfShort = (secrets: readonly string[]): RegExp | undefined => {
  if (secrets.length === 0) return undefined;
  const spellings = secrets.flatMap((secret) => {
    const bytes = Buffer.from(secret);
    return [secret, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
  });
  const any = [...new Set(spellings)].map((spelling) => asPattern(fold(spelling))).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'u');
};

/** A text as it is and decoded step by step, with a plus as a plus and as a blank; of a url also its host in letters. */
const readingsOf = (text: string): string[] => {
  const host = URL.parse(text)?.hostname;
  const readings = new Set(host ? [domainToUnicode(host)] : []);
  for (const begun of new Set([text, text.replaceAll('+', ' ')])) {
    let reading = begun;
    for (let round = 0; round <= mostRounds; round += 1) {
      readings.add(reading).add(asUtf8(reading));
      const decoded = decode(reading);
      if (decoded === reading) break;
      reading = decoded;
    }
  }
  return [...new Set([...readings].map(fold))];
};

const fold = (text: string): string => inUnicodeForm(text, 'NFKC').toLowerCase();

const decode = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());

/** A header's bytes come as one character each. */
const asUtf8 = (text: string): string =>
  /[\u0080-\u00ff]/.test(text) && !/[^\0-\u00ff]/.test(text) ? Buffer.from(text, 'latin1').toString() : text;
