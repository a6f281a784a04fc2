/** The ways to write one character in `$'…'`, but for `\x`, which writes a byte. */
const letters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

const bytesForm = /(?:\\x[\da-fA-F]{1,2}|\\[0-7]{1,3})+/y;
const byteForm = /\\x([\da-fA-F]{1,2})|\\([0-7]{1,3})/g;
const unicodeForm = /\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})/y;
const controlForm = /\\c([@-_a-z?])/y;
const plainForm = /[^'\\]+/y;

/** Reads `$'…'` from behind its opening quote; undefined when it is not closed. */
export const readAnsiC = (source: string, from: number): { text: string; end: number } | undefined => {
  let text = '';
  let position = from;
  const take = (form: RegExp): RegExpExecArray | undefined => {
    form.lastIndex = position;
    const match = form.exec(source) ?? undefined;
    position += match?.[0].length ?? 0;
    return match;
  };
  for (;;) {
    text += take(plainForm)?.[0] ?? '';
    const character = source[position];
    if (character === undefined) return undefined;
    if (character === "'") return { text, end: position + 1 };
    const bytes = take(bytesForm);
    const unicode = bytes ? undefined : take(unicodeForm);
    const control = (bytes ?? unicode) ? undefined : take(controlForm);
    if (bytes) text += decodeBytes(bytes[0]);
    else if (unicode) text += ofCode(Number.parseInt(unicode[1] ?? unicode[2] ?? '0', 16));
    else if (control) text += String.fromCharCode((control[1] ?? '@').toUpperCase().charCodeAt(0) ^ 0x40);
    else {
      const escaped = source[position + 1];
      if (escaped === undefined) return undefined;
      text += letters[escaped] ?? (/["'?\\]/.test(escaped) ? escaped : `\\${escaped}`);
      position += 2;
    }
  }
};

/** Bytes are UTF-8, as bash has it. Firefox writes the characters below 256 as one byte each. */
const decodeBytes = (written: string): string => {
  const codes = Array.from(written.matchAll(byteForm), ([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal ?? '0', 8) & 0xff : Number.parseInt(hex, 16),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(codes));
  } catch {
    return codes.map((code) => String.fromCharCode(code)).join('');
  }
};

/** Halves of surrogate pairs, as Chrome writes them, join in the text. */
const ofCode = (code: number): string => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
