/** The most characters of a message in Telegram. */
const partAtMost = 4_096;

/** Splits a text that is too long for one message: behind a line or a word where there is an end of one in its second half, never within a character. */
export const splitText = (text: string): string[] => {
  if (text.length <= partAtMost) return [text];
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > partAtMost) {
    const end = endOfPart(rest);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest];
};

/** Parts stay longer than half of a message, so that a text has few. */
const endOfPart = (text: string): number => {
  const least = partAtMost / 2;
  const line = text.lastIndexOf('\n', partAtMost);
  if (line >= least) return line;
  for (let end = partAtMost; end >= least; end -= 1) if (/\s/u.test(text.charAt(end))) return end;
  const isWithinCharacter = /[\uDC00-\uDFFF]/.test(text.charAt(partAtMost));
  return isWithinCharacter ? partAtMost - 1 : partAtMost;
};
