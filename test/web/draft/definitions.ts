import * as fc from 'fast-check';
import { isObject } from '../../../src/shared/flows/raw-blocks.ts';
import { changeBlock, setFields } from '../../../src/web/pages/flows/edits/blocks.ts';
import { connect } from '../../../src/web/pages/flows/edits/connect.ts';
import type { AnyDefinition } from '../../../src/web/pages/flows/definition-text.ts';

/** What is done to a definition, and what it is called. */
export type Intent = { name: string; change: (definition: AnyDefinition) => AnyDefinition };

export const ids = ['ask', 'stock', 'check', 'answer', 'end'] as const;

const id = fc.constantFrom(...ids);

const listOf = (definition: AnyDefinition): unknown[] =>
  Array.isArray(definition['blocks']) ? [...definition['blocks']] : [];

const isOf = (wanted: string) => (block: unknown) => isObject(block) && block['id'] === wanted;

const has = (definition: AnyDefinition, wanted: string): boolean => listOf(definition).some(isOf(wanted));

const words = fc.constantFrom('yes', 'no', 'maybe', 'later', '{{contact.name}}');

/** A change that changes one thing, as the builder makes it. */
export const intents: fc.Arbitrary<Intent> = fc.oneof(
  fc.record({ id, text: words }).map(({ id: which, text }): Intent => ({
    name: `say ${which} ${text}`,
    change: (definition) => changeBlock(definition, which, (block) => setFields(block, { text })),
  })),
  fc.record({ id, place: fc.nat(6), text: words }).map(({ id: which, place, text }): Intent => ({
    name: `add ${which}`,
    change: (definition) =>
      has(definition, which)
        ? definition
        : { ...definition, blocks: listOf(definition).toSpliced(place, 0, { id: which, type: 'send', text }) },
  })),
  id.map((which): Intent => ({
    name: `remove ${which}`,
    change: (definition) =>
      has(definition, which)
        ? {
            ...definition,
            blocks: listOf(definition).filter((block) => !isOf(which)(block)),
          }
        : definition,
  })),
  fc.record({ id, x: fc.nat(9), y: fc.nat(9) }).map(({ id: which, x, y }): Intent => ({
    name: `move ${which}`,
    change: (definition) => {
      const ui = isObject(definition['ui']) ? definition['ui'] : {};
      const positions = isObject(ui['positions']) ? ui['positions'] : {};
      return { ...definition, ui: { ...ui, positions: { ...positions, [which]: { x, y } } } };
    },
  })),
  fc.record({ id, to: id }).map(({ id: from, to }): Intent => ({
    name: `connect ${from} ${to}`,
    change: (definition) => connect(definition, { from, port: 'default', to }),
  })),
  id.map((start): Intent => ({ name: `start ${start}`, change: (definition) => ({ ...definition, start }) })),
  fc.array(words, { maxLength: 2 }).map((triggers): Intent => ({
    name: 'triggers',
    change: (definition) => ({ ...definition, triggers }),
  })),
  fc.record({ from: fc.nat(4), to: fc.nat(4) }).map(({ from, to }): Intent => ({
    name: 'reorder',
    change: (definition) => {
      const blocks = listOf(definition);
      const [block] = blocks.splice(from, 1);
      return block === undefined ? definition : { ...definition, blocks: blocks.toSpliced(to, 0, block) };
    },
  })),
);

/** A definition as nobody would write it, of any shape that the API takes. */
export const anyDefinitions: fc.Arbitrary<AnyDefinition> = fc.record(
  {
    start: fc.oneof(id, fc.constant(null)),
    triggers: fc.array(words, { maxLength: 2 }),
    extra: fc.jsonValue({ maxDepth: 2 }),
    blocks: fc.oneof(
      fc.array(
        fc.oneof(fc.record({ id, text: words }), fc.record({ text: words }), fc.constantFrom(null, 1, 'block')),
        { maxLength: 6 },
      ),
      fc.constantFrom(null, {}, 'blocks'),
    ),
    ui: fc.oneof(
      fc.record(
        {
          zoom: fc.nat(3),
          positions: fc.oneof(fc.dictionary(id, fc.record({ x: fc.nat(9) })), fc.constantFrom(null, [])),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom(null, 1),
    ),
    ['__proto__']: fc.constant({ polluted: true }),
  },
  { requiredKeys: [] },
);

/** A small flow to begin with. */
export const aSmallFlow = (): AnyDefinition => ({
  schema_version: 1,
  start: 'ask',
  triggers: [],
  blocks: [
    { id: 'ask', type: 'ask', text: 'Well?' },
    { id: 'stock', type: 'external_request', text: 'GET' },
    { id: 'answer', type: 'send', text: 'Hello' },
  ],
});
