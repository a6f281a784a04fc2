import { inUnicodeForm } from '../platform/unicode-form.ts';
import { nameBytes } from './limits.ts';

/** Used where nothing of a name can be taken. */
const nameless = 'file';

/** Control characters, line separators, and characters that turn the direction of a text: with them "gpj.exe" reads as "exe.jpg". */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** What file systems and headers read as something else. */
const reserved = /["*:<>?|]/g;

/** A name for people and downloads: no path, nothing hidden, not dots alone, at most 255 bytes. Its ending stays. */
export const cleanName = (given: string | undefined): string => {
  const last =
    inUnicodeForm(given ?? '', 'NFC')
      .split(/[/\\]/)
      .at(-1) ?? '';
  const clean = last
    .replace(hidden, '')
    .replace(reserved, '_')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '')
    .replace(/[. ]+$/, '');
  return clean === '' ? nameless : shorten(clean);
};

const shorten = (name: string): string => {
  if (Buffer.byteLength(name) <= nameBytes) return name;
  const ending = /\.[^.\s]{1,16}$/u.exec(name)?.[0] ?? '';
  let stem = Array.from(name.slice(0, name.length - ending.length)).slice(0, nameBytes);
  while (Buffer.byteLength(stem.join('') + ending) > nameBytes) stem = stem.slice(0, -1);
  return stem.join('') + ending;
};
