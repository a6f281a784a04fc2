import { findWords } from '../../shared/messages/conversations/found-words.ts';

/** A text in which the words that were searched for are marked: those that begin as one of them. */
export const Marked = ({ text, words }: { text: string; words: string }) => {
  const found = findWords(text, words);
  return (
    <>
      {found.map(({ from, to }, place) => [
        text.slice(found[place - 1]?.to ?? 0, from),
        <mark key={from}>{text.slice(from, to)}</mark>,
      ])}
      {text.slice(found.at(-1)?.to ?? 0)}
    </>
  );
};
