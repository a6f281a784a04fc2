import { isIP, isIPv4 } from 'node:net';
import { domainToUnicode } from 'node:url';

/**
 * Why a reader would take this url for another one than is called, by the rules of the URL standard; undefined when it is
 * read as it is written. For https urls that the standard can parse. A host in another alphabet is no such case, nor is a path
 * that the standard encodes.
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

// Default ignorable code points are what no font shows, among them those that turn the direction of what follows.
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Numbers, short forms and letters that only look like ASCII are read as something else; so is what is percent-encoded. */
function isWrittenAsRead(host: string, meant: string): boolean {
  if (isIPv4(meant)) return host === meant;
  // An IPv6 address has many spellings, and each of them looks like one.
  if (isIP(meant.replace(/^\[|\]$/g, ''))) return true;
  const written = host.normalize('NFC').toLowerCase();
  return written === meant || written === domainToUnicode(meant);
}
