import { isIP, isIPv4 } from 'node:net';
import { domainToUnicode } from 'node:url';
import { inUnicodeForm } from '../unicode-form.ts';

/**
 * Why a reader would mistake this url for another than the one that is called; undefined when it reads as it is called. Takes https
 * urls that the URL standard can parse. A host in another alphabet is fine, and so is a path that the standard encodes.
 */
export function findMisreading(text: string): string | undefined {
  if (INVISIBLE.test(text))
    return 'must not contain white space, invisible characters, or such as turn the direction of text';
  if (text.includes('\\')) return 'must not contain a backslash: it is read as a slash';
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return 'must have its host after https://';
  if (authority.includes('@')) return 'must not contain a user name or password, nor an @ before its path';

  const host = authority.replace(/:\d*$/, '');
  const meant = new URL(text).hostname;
  return isWrittenAsRead(host, meant) ? undefined : `must name its host as it is read: ${meant}`;
}

// No font shows default ignorable code points. Some of them turn the direction of the text that follows.
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** False for a host that is written as a number, in a short form, with look-alike letters or percent-encoded. */
function isWrittenAsRead(host: string, meant: string): boolean {
  if (isIPv4(meant)) return host === meant;
  // Each of the many spellings of an IPv6 address looks like one.
  if (isIP(meant.replace(/^\[|\]$/g, ''))) return true;
  const written = inUnicodeForm(host, 'NFC').toLowerCase();
  return written === meant || written === domainToUnicode(meant);
}
