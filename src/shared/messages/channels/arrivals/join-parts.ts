import type { GivenMessage } from '../kind.ts';
import type { PartTold } from './album-parts.ts';

/** The longest text that a message can have. */
const textAtMost = 10_000;

/** The text of an album whose parts have these captions. */
export const joinCaptions = (captions: readonly unknown[]): string =>
  captions
    .filter((caption) => typeof caption === 'string' && caption !== '')
    .join('\n')
    .slice(0, textAtMost);

/** The message that parts of an album are together. Its id is that of the first one with a text. Undefined for no parts. */
export const joinParts = (parts: readonly PartTold[]): GivenMessage | undefined => {
  const messages = parts.map(({ message }) => message);
  const named = messages.find(({ text }) => text !== '') ?? messages[0];
  if (!named || messages.length <= 1) return named;
  return {
    ...named,
    text: joinCaptions(messages.map(({ text }) => text)),
    attachments: messages.flatMap(({ attachments = [] }) => attachments),
  };
};
