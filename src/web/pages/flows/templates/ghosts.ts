import type { AnyDefinition } from '../definition-text.ts';
import { blocksOf } from '../edits/blocks.ts';

/** The word that starts a flow until its writer chooses another one. */
const firstWord = 'hello';

/** A flow that begins when a contact writes a word, unless something starts it already. */
export const startByWord = (definition: AnyDefinition): AnyDefinition => {
  const { triggers } = definition;
  if (Array.isArray(triggers) && triggers.length > 0) return definition;
  return { ...definition, triggers: [{ type: 'keyword', match: 'exact', words: [firstWord] }] };
};

/** A question to begin with. */
export const firstQuestion = {
  id: 'ask_1',
  type: 'ask',
  name: 'Ask something',
  prompt: 'How can we help?',
  next: { timeout: null },
} as const;

/** A request to begin with, to the test endpoint where there is one. */
export const firstRequest = (api: string | undefined) =>
  ({
    id: 'call_api_1',
    type: 'external_request',
    name: 'Call your API',
    method: 'GET',
    url: `${api ?? 'https://shop.example'}/orders`,
    next: { error: null, timeout: null },
  }) as const;

/** An empty flow with its first block. One that has blocks meanwhile stays as it is. */
export const beginWith = (definition: AnyDefinition, block: { id: string }): AnyDefinition =>
  blocksOf(definition).length > 0 ? definition : { ...definition, start: block.id, blocks: [block] };
