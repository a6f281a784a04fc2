import { exampleFlow } from '../../../shared/flows/example.ts';
import type { Schemas } from '../../api/client.ts';
import type { words } from './words.ts';

type FlowFile = Schemas['FlowFile'];

/** A flow to begin with. */
export type ExampleName = keyof typeof words.examples;

type Example = { definition: FlowFile['definition']; fields?: FlowFile['needs']['fields']; tags?: string[] };

const createExamples = (shopUrl?: string): Readonly<Record<ExampleName, Example>> => ({
  empty: { definition: { schema_version: 1, triggers: [], blocks: [] } },
  shirts: {
    definition: exampleFlow(shopUrl),
    fields: [
      { key: 'size', name: 'Size', type: 'text' },
      { key: 'left', name: 'Left in stock', type: 'number' },
    ],
  },
  support: {
    definition: {
      schema_version: 1,
      start: 'topic',
      triggers: [{ type: 'keyword', match: 'contains', words: ['help'] }],
      blocks: [
        {
          id: 'topic',
          type: 'ask',
          prompt: 'What is it about?',
          expects: 'choice',
          choices: ['My order', 'Something else'],
          retry_text: 'Please choose one of them.',
          timeout: 'P1D',
          next: { invalid: 'people', timeout: null },
        },
        {
          id: 'people',
          type: 'handover',
          reason: 'Asks for help: {{reply.text|default:"no topic"}}',
          timeout: 'P1D',
          next: { resolved: 'thanks', timeout: 'sorry' },
        },
        {
          id: 'sorry',
          type: 'send',
          messages: [{ text: 'Nobody was free, sorry. Please write again.' }],
          next: { default: null },
        },
        { id: 'thanks', type: 'send', messages: [{ text: 'Was that all? Just write again.' }] },
      ],
    },
  },
  followUp: {
    definition: {
      schema_version: 1,
      start: 'three_days',
      triggers: [{ type: 'order_placed' }],
      blocks: [
        { id: 'three_days', type: 'delay', for: 'P3D' },
        {
          id: 'how_was_it',
          type: 'ask',
          prompt: 'Did all go well with your order?',
          expects: 'choice',
          choices: ['Yes', 'No'],
          next: { invalid: null, timeout: null },
        },
        {
          id: 'was_it_well',
          type: 'condition',
          rules: [{ field: 'reply.text', op: 'is', value: 'yes' }],
          next: { false: 'unhappy' },
        },
        { id: 'glad', type: 'send', messages: [{ text: 'Glad to hear that!' }], next: { default: null } },
        { id: 'unhappy', type: 'add_tag', tag: 'unhappy' },
        { id: 'sorry', type: 'send', messages: [{ text: 'We are sorry, and will look into it.' }] },
      ],
    },
    tags: ['unhappy'],
  },
});

/** The examples, the emptiest last. */
export const exampleNames = ['shirts', 'support', 'followUp', 'empty'] as const satisfies readonly ExampleName[];

/** An example as a file, so that its import makes the custom fields that it needs. Its shop is at this URL, if given. */
export const exampleFile = (example: ExampleName, name: string, shopUrl?: string): FlowFile => {
  const { definition, fields = [], tags = [] } = createExamples(shopUrl)[example];
  return { parley_flow: 1, name, definition, needs: { fields, tags, credentials: [], flows: [] }, left_out: [] };
};
