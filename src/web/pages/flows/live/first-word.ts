import type { AnyDefinition } from '../definition-text.ts';
import { readFlow } from '../drawing/read-flow.ts';

/** What a contact writes to start a flow: its first link or keyword, any text where every message starts it, or undefined where none does. */
export const firstWordOf = (definition: AnyDefinition): string | undefined => {
  const { triggers } = readFlow(definition);
  const [word] = triggers.flatMap((trigger) => {
    if (trigger.type === 'start_link') return [`/start ${trigger.payload ?? 'hello'}`];
    return trigger.type === 'keyword' ? trigger.words : [];
  });
  if (word !== undefined) return word;
  return triggers.some(({ type }) => type === 'default_reply' || type === 'new_contact') ? 'Hello' : undefined;
};
