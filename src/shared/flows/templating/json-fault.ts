/** Where a text stops being JSON, and how; undefined when it is JSON. One look at each character, and no recursion. */
export const findJsonFault = (text: string): { offset: number; message: string } | undefined => {
  const nesting: ('{' | '[')[] = [];
  let expected: 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'comma' | 'end' = 'value';
  let offset = 0;
  for (;;) {
    offset = skipBlanks(text, offset);
    const start = offset;
    const character = text[offset];
    if (character === undefined) return expected === 'end' ? undefined : { offset, message: 'ends too early' };
    const after = (): typeof expected => (nesting.length === 0 ? 'end' : 'comma');
    const inner = nesting.at(-1);
    const closes = (character === '}' && inner === '{') || (character === ']' && inner === '[');
    if (closes && (expected === 'comma' || expected === 'first key' || expected === 'first item')) {
      nesting.pop();
      offset += 1;
      expected = after();
    } else if (expected === 'key' || expected === 'first key') {
      offset = character === '"' ? endOfText(text, offset) : start;
      if (offset > start) expected = 'colon';
    } else if (expected === 'colon' || expected === 'comma') {
      const isThere = character === (expected === 'colon' ? ':' : ',');
      if (isThere) offset += 1;
      if (isThere) expected = expected === 'colon' || inner === '[' ? 'value' : 'key';
    } else if (expected !== 'end' && (character === '{' || character === '[')) {
      nesting.push(character);
      offset += 1;
      expected = character === '{' ? 'first key' : 'first item';
    } else if (expected !== 'end') {
      offset = character === '"' ? endOfText(text, offset) : endOfScalar(text, offset);
      expected = after();
    }
    if (offset <= start) return offset < 0 ? { offset: -offset, message: brokenText } : { offset, message: unexpected };
  }
};

const unexpected = 'is not JSON here';
const brokenText =
  'is not JSON here: a line break, another control character or a wrong escape in a text, or a text without end';

const skipBlanks = (text: string, from: number): number => {
  let offset = from;
  while (' \t\n\r'.includes(text[offset] ?? 'x')) offset += 1;
  return offset;
};

const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The offset after the closing quote; the negative offset of what is wrong before it. */
const endOfText = (text: string, from: number): number => {
  for (let offset = from + 1; offset < text.length; offset += 1) {
    const character = text[offset] ?? '';
    if (character === '"') return offset + 1;
    if (character < ' ') return -offset;
    if (character !== '\\') continue;
    escape.lastIndex = offset;
    const [escaped] = escape.exec(text) ?? [];
    if (escaped === undefined) return -offset;
    offset += escaped.length - 1;
  }
  return -text.length;
};

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const endOfScalar = (text: string, from: number): number => {
  scalar.lastIndex = from;
  return from + (scalar.exec(text)?.[0].length ?? 0);
};
