import { expect, test } from 'vitest';
import { openBlock, openBuilder } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

const definition = {
  schema_version: 1,
  start: 'tag',
  triggers: [],
  blocks: [
    { id: 'tag', type: 'add_tag', tag: '' },
    { id: 'field', type: 'clear_field', field: '' },
  ],
};

test('of 300 tags and 300 fields each is found by typing a part of its name', async () => {
  const { page, call, stored } = await openBuilder(both, definition);
  for (let made = 0; made < 300; made += 20)
    await Promise.all(
      Array.from({ length: 20 }, async (_, place) => {
        const number = String(made + place).padStart(3, '0');
        await call('POST', '/tags', { name: `Label ${number}` });
        await call('POST', '/custom-fields', { key: `field_${number}`, name: `Field ${number}`, type: 'text' });
      }),
    );
  await page.reload();
  const panel = await openBlock(page, 'tag');
  await panel.getByRole('combobox', { name: 'Tag' }).fill('label 003');
  await page.getByRole('option', { name: 'Label 003', exact: true }).click();
  // A name that is there is not offered as a new one.
  await panel.getByRole('combobox', { name: 'Tag' }).fill('LABEL 002');
  await page.getByRole('option', { name: 'Label 002', exact: true }).waitFor();
  expect(await page.getByRole('option').allTextContents()).toEqual(['Label 002']);
  await page.getByRole('option', { name: 'Label 002', exact: true }).click();
  await openBlock(page, 'field');
  await panel.getByRole('combobox', { name: 'Field' }).fill('field 004');
  await page.getByRole('option', { name: 'Field 004 (field_004)', exact: true }).click();
  await expect.poll(async () => (await stored()).blocks).toMatchObject([{ tag: 'Label 002' }, { field: 'field_004' }]);
});
