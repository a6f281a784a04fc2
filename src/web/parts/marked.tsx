/** Letters without accents, in small letters: what a search compares. Marks that are taken away keep no place. */
const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** A text in which the words that were searched for are marked: those that begin as one of them. */
export const Marked = ({ text, words }: { text: string; words: string }) => {
  const wanted = plain(words)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const isWanted = (part: string): boolean => wanted.some((word) => plain(part).startsWith(word));
  // Every other part is a word.
  const parts = text.split(/([\p{L}\p{N}\p{M}]+)/u);
  return parts.map((part, place) =>
    // oxlint-disable-next-line react/no-array-index-key -- a part is nothing but its place
    place % 2 === 1 && isWanted(part) ? <mark key={place}>{part}</mark> : part,
  );
};
