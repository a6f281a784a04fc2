/** Bytes of JSON. */
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const [beginList, endList, beginObject, endObject] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/**
 * Whether a JSON text holds more than `most` values, without keys, as `checkValues` counts them. It reads the bytes once and makes nothing of
 * them: a parser takes a second for a megabyte of brackets. What it answers for a text that is no JSON means nothing.
 */
export const hasMoreValues = (bytes: Uint8Array, most: number): boolean => {
  let count = 1;
  let isBegun = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20) continue;
    // What comes first in a list or an object, unless that is its end.
    if (isBegun && byte !== endList && byte !== endObject) count += 1;
    isBegun = byte === beginList || byte === beginObject;
    if (byte === comma) count += 1;
    else if (byte === quote) at = endOfText(bytes, at);
    if (count > most) return true;
  }
  return false;
};

/** The offset of the quote that ends the text which begins here; the end of the bytes where none does. */
const endOfText = (bytes: Uint8Array, begin: number): number => {
  let end = begin + 1;
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  return end;
};
