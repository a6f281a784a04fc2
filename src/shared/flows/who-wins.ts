import { matchesKeyword, readMessage, type Keyword } from './keywords.ts';
import { coversStartLink } from './start-link.ts';
import type { TriggerRow } from './triggers.ts';

/** A trigger, or one of its words, that always comes after another: `word` is null where a trigger has none. A payload is a word. */
export type Loss = { word: string | null; to: TriggerRow };

/**
 * What each trigger can never get, because one before it takes the same: its words, or all that it is for. Such a one gets a contact only while
 * the contact is in the winner's flow and cannot enter it twice. The triggers come in the order in which they are tried.
 */
export const findLosses = (triggers: readonly TriggerRow[]): Loss[][] =>
  triggers.map((trigger, index) => {
    const before = triggers.slice(0, index).filter(({ type }) => type === trigger.type);
    if (trigger.type !== 'keyword')
      return lossOf(
        trigger.words?.[0] ?? null,
        before.find((other) => covers(other, trigger)),
      );
    return (trigger.words ?? []).flatMap((word) =>
      lossOf(
        word,
        before.find((other) => takes(keywordOf(other), keywordOf(trigger).match, word)),
      ),
    );
  });

const lossOf = (word: string | null, to: TriggerRow | undefined): Loss[] => (to ? [{ word, to }] : []);

const covers = (other: TriggerRow, trigger: TriggerRow): boolean =>
  trigger.type === 'start_link' ? coversStartLink(other, trigger) : coversEvents(other, trigger);

const coversEvents = (other: TriggerRow, { tag, status }: TriggerRow): boolean =>
  (other.tag === null || other.tag === tag) && (other.status === null || other.status === status);

const keywordOf = ({ match, words }: TriggerRow): Keyword => ({ match: match ?? 'exact', words: words ?? [] });

/** Whether a keyword is hit by every message that this word of another hits. */
const takes = (other: Keyword, match: Keyword['match'], word: string): boolean => {
  const wide = { exact: ['exact', 'prefix', 'contains'], prefix: ['prefix', 'contains'], contains: ['contains'] };
  return wide[match].includes(other.match) && matchesKeyword(readMessage(word), other);
};
