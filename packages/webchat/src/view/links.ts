/** A part of a text: a link where it has an address. */
export type Part = { text: string; url?: string };

/** The address itself where browsers may follow it: https, or http on one's own machine. Scripts and data have no place in a link. */
export const safeUrl = (address: string, base?: string): string | undefined => {
  try {
    const url = new URL(address, base);
    const isOwn = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
    return url.protocol === 'https:' || (url.protocol === 'http:' && isOwn) ? url.href : undefined;
  } catch {
    return undefined;
  }
};

const inText = /https?:\/\/[^\s<>"'`]+/g;

/** What ends a sentence is no part of its link, and neither is a bracket that the link has not opened. */
const withoutEnd = (link: string): string => {
  let end = link.length;
  while (end > 0) {
    const last = link.charAt(end - 1);
    const isOpened = last === ')' && link.slice(0, end).includes('(');
    if (!'.,;:!?)]}*_'.includes(last) || isOpened) break;
    end -= 1;
  }
  return link.slice(0, end);
};

/** A text with its links. */
export const splitLinks = (text: string): Part[] => {
  const parts: Part[] = [];
  let done = 0;
  for (const { 0: found, index } of text.matchAll(inText)) {
    const link = withoutEnd(found);
    let url: string | undefined;
    try {
      url = new URL(link).href;
    } catch {
      continue;
    }
    if (index > done) parts.push({ text: text.slice(done, index) });
    parts.push({ text: link, url });
    done = index + link.length;
  }
  if (done < text.length) parts.push({ text: text.slice(done) });
  return parts;
};
