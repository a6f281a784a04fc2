import { expect, test } from 'vitest';
import { blocks } from '../../../src/shared/flows/blocks/index.ts';
import { blockSchemas } from '../helpers/block-schemas.ts';
import { openBlock, openBuilder } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

const fieldsOf = (kind: string): string[] =>
  Object.keys(blockSchemas.get(kind) ?? {}).filter((field) => field !== 'id' && field !== 'type');

/** Values that no field of a block has, or none of most. */
const wrong: readonly unknown[] = [
  null,
  7,
  '<img src=x onerror=alert(1)>',
  [null, [], { a: [null] }],
  { a: null, b: { c: [] } },
];

test.for(wrong.map((value) => [JSON.stringify(value), value] as const))(
  'the form of every block stands where all of its fields are %s, and leaves them as they are',
  async ([, value]) => {
    const definition = {
      schema_version: 1,
      start: 'send',
      triggers: value,
      reentry: value,
      blocks: blocks.map(({ type }) => ({
        id: type,
        type,
        ...Object.fromEntries(fieldsOf(type).map((field) => [field, value])),
      })),
    };
    const { page, draft, id } = await openBuilder(both, definition);
    for (const { type } of blocks) {
      const panel = await openBlock(page, type);
      await panel.getByText(type, { exact: true }).first().waitFor();
    }
    await page.getByRole('button', { name: 'Edit triggers' }).click();
    await page.locator('.panel').getByRole('heading', { name: 'Start' }).waitFor();
    expect((await draft(id)).body).toMatchObject({ revision: 1, definition });
    expect(both.web.complaints(page)).toEqual([]);
  },
);
