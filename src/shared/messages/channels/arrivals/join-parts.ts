import type { GivenMessage } from '../kind.ts';
import type { PartTold } from './album-parts.ts';

/** The longest text that a message can have. */
const textAtMost = 10_000;

/**
 * The message that parts of an album are together. Its id is that of the first one with a text: a change of that part changes the message. Undefined for
 * no parts.
 */
export const joinParts = (parts: readonly PartTold[]): GivenMessage | undefined => {
  const messages = parts.map(({ message }) => message);
  const texts = messages.flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []));
  const named = messages.find(({ text }) => text !== '') ?? messages[0];
  if (!named || messages.length <= 1) return named;
  return {
    ...named,
    text: texts.join('\n').slice(0, textAtMost),
    attachments: messages.flatMap(({ attachments = [] }) => attachments),
  };
};
