import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { blocks } from '../../../../src/shared/flows/blocks/index.ts';
import { definitionJsonSchema } from '../../../../src/shared/flows/definition/definition.ts';
import { isError } from '../../../../src/shared/flows/definition/issues.ts';
import { exampleFlow } from '../../../../src/shared/flows/example.ts';
import { validateDefinition } from '../../../../src/shared/flows/definition/validate.ts';
import { aKnown } from '../../../helpers/definitions.ts';
import { aField, fieldMap } from '../../../helpers/block-context.ts';
import { blockReference, blockReferenceMarkdown } from '../../../../src/shared/flows/definition/reference.ts';

test('the reference tells every block with its fields, defaults and ports', () => {
  const reference = blockReference();
  expect(reference.map(({ type }) => type)).toEqual(blocks.map(({ type }) => type));
  expect(reference.every(({ summary }) => summary.endsWith('.'))).toBe(true);
  const ask = reference.find(({ type }) => type === 'ask');
  expect(ask?.ports).toEqual(['answered', 'invalid', 'timeout', 'failed']);
  expect(ask?.fields).toContainEqual({
    name: 'retries',
    type: 'whole number, 0 to 5',
    required: false,
    default: '`2`',
    description: 'How often the contact is asked again after an invalid reply, before the port `invalid`.',
  });
});

/** Written by `npx vitest run test/shared/flows/definition/reference.test.ts -u`, after a block was added or changed. */
const page = 'docs/flow-blocks.md';

test(`${page} is the reference as it is made of the schemas`, async () => {
  const head =
    '# Blocks of a flow\n\nMade of the schemas by which flows are checked. How they work together: [flows.md](flows.md).\n\n';
  await expect(`${head}${blockReferenceMarkdown()}`).toMatchFileSnapshot(`../../../../${page}`);
});

test('the definition that docs/flows.md shows can be published', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(readFileSync('docs/flows.md', 'utf8')) ?? [];
  const fields = fieldMap(
    ...['size', 'sku', 'age', 'stock_left'].map((key) =>
      aField(key, key === 'size' || key === 'sku' ? 'text' : 'number'),
    ),
  );
  const issues = validateDefinition(JSON.parse(example), aKnown({ fields }));
  expect(issues.filter(isError)).toEqual([]);
  expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['may_be_empty', 'unknown_tag']));
});

test('the example of the API and of the demo is published without a warning', () => {
  const fields = fieldMap(aField('size', 'text'), aField('left', 'number'));
  expect(validateDefinition(exampleFlow(), aKnown({ fields }))).toEqual([]);
});

test('the JSON Schema of a definition says all that a block can have, and refuses what it has not', () => {
  const { $schema, properties, required, additionalProperties } = definitionJsonSchema();
  expect($schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(JSON.stringify(properties)).not.toContain('"enum":[]');
  expect(required).toEqual(['schema_version', 'start', 'blocks']);
  expect(additionalProperties).toBe(false);
  expect(properties).toMatchObject({
    schema_version: { const: 1 },
    blocks: {
      minItems: 1,
      maxItems: 500,
      items: { anyOf: blocks.map(({ type }) => ({ properties: { type: { const: type } } })) },
    },
  });
});

test('docs/flows.md says what every code of an issue means', () => {
  const sources = globSync('src/shared/flows/{blocks,definition}/*.ts').map((file) => readFileSync(file, 'utf8'));
  const codes = [...new Set(sources.flatMap((text) => [...text.matchAll(/\bcode: '(\w+)'/g)].map(([, code]) => code)))];
  expect(codes.length).toBeGreaterThan(30);
  const page = readFileSync('docs/flows.md', 'utf8');
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
