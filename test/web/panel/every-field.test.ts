import { expect, test } from 'vitest';
import { blocks } from '../../../src/shared/flows/blocks/index.ts';
import { blockSchemas, type JsonSchema } from '../helpers/block-schemas.ts';
import { openBlock, openBuilder } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

/** The paths of all fields of a schema, "messages.0.text": of a list its first item, of an object with any names the name "key". */
const pathsOf = (schema: JsonSchema, path = ''): string[] => {
  const below = (name: string, part: JsonSchema) => pathsOf(part, path === '' ? name : `${path}.${name}`);
  const { properties = {}, additionalProperties: others, items, anyOf = [], oneOf = [] } = schema;
  const within = [
    ...Object.entries(properties).flatMap(([name, part]) => below(name, part)),
    ...(typeof others === 'object' ? below('key', others) : []),
    // Of several fixed values one control chooses.
    ...(items && !items.enum ? below('0', items) : []),
    ...[...anyOf, ...oneOf].flatMap((part) => pathsOf(part, path)),
  ];
  return [...new Set(within.length > 0 ? within : [path])];
};

const inSchema = new Map(
  [...blockSchemas].map(([kind, { type: _type, ...properties }]) => [kind, pathsOf({ properties })] as const),
);

const rules = [{ field: 'first_name', op: 'is', value: 'Ada' }];

/** Blocks that have every field of their kind: where two exclude each other, two blocks. */
const specimens: Readonly<Record<string, readonly object[]>> = {
  send: [{ messages: [{ text: 'a', image_url: 'https://a.example/', quick_replies: ['b'] }] }],
  ask: [
    {
      prompt: 'a',
      expects: 'choice',
      choices: [{ label: 'b', value: 'c' }],
      save_to: 'first_name',
      retries: 1,
      retry_text: 'd',
      timeout: 'PT1H',
      early: 'take',
    },
    { prompt: 'a', expects: 'choice', choices: ['b'] },
  ],
  condition: [{ match: 'any', rules }],
  delay: [{ for: 'PT1H', until: '2026-03-01', window: { days: ['monday'], from: '09:00', to: '18:00' } }],
  set_field: [{ field: 'first_name', op: 'set', value: 'a' }],
  clear_field: [{ field: 'first_name' }],
  add_tag: [{ tag: 'a' }],
  remove_tag: [{ tag: 'a' }],
  split: [{ weights: { a: 1, b: 1, c: 1, d: 1 } }],
  wait_event: [{ event: 'order_placed', rules, fresh: true, timeout: 'PT1H' }],
  start_flow: [{ flow_id: 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn', mode: 'child', params: { key: 'a' } }],
  handover: [{ reason: 'a', wait: true, timeout: 'PT1H' }],
  close_conversation: [{}],
  goto: [{ block: 'send_0' }],
  end: [{}],
};

/** The head shows the id, and "Next steps" all ports. */
const isElsewhere = (path: string): boolean => path === 'id' || path.startsWith('next.') || path === 'next';

/** Its editor has a room and tests of its own. */
const kinds = blocks.map(({ type }) => type).filter((type) => type !== 'external_request');

test('every field of the JSON Schema of every block has a control in its form', async () => {
  expect(Object.keys(specimens).toSorted()).toEqual(kinds.toSorted());
  const definition = {
    schema_version: 1,
    start: 'send_0',
    blocks: kinds.flatMap((type) =>
      (specimens[type] ?? []).map((fields, index) => ({ id: `${type}_${index}`, type, ...fields })),
    ),
  };
  const { page } = await openBuilder(both, definition);
  const lacking: string[] = [];
  for (const type of kinds) {
    const found = new Set<string>();
    for (const index of (specimens[type] ?? []).keys()) {
      const id = `${type}_${index}`;
      const panel = await openBlock(page, id);
      await panel.getByText(id, { exact: true }).first().waitFor();
      const fields = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.panel [data-field]')].map(({ dataset }) => dataset.field)`,
      );
      for (const field of fields) found.add(field);
      const ports = fields.filter((field) => field.startsWith('next.'));
      expect(ports.length > 0).toBe(!['goto', 'end'].includes(type));
    }
    const wanted = (inSchema.get(type) ?? []).filter((path) => !isElsewhere(path));
    expect(wanted.length).toBeGreaterThan(0);
    lacking.push(...wanted.filter((path) => !found.has(path)).map((path) => `${type}: ${path}`));
  }
  expect(lacking).toEqual([]);
});
