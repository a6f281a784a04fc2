import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { openBlock, openBuilder } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

const markup = '<img src=x onerror=alert(1)>';

const definition = {
  schema_version: 1,
  start: 'ask',
  triggers: [],
  blocks: [
    {
      id: 'ask',
      type: 'ask',
      prompt: `Hi {{first_nam|default:"you"}} ${markup} {{nope<img>}}`,
      save_to: 'carrier',
      next: { timeout: null, invalid: 'nowhere' },
    },
    { id: 'tag', type: 'add_tag', tag: 'vip', name: markup },
  ],
};

test('the list of problems leads to each field, and a button there fixes it', async () => {
  const { page, stored, call } = await openBuilder(both, definition);
  const toolbar = page.getByRole('toolbar').first();
  await toolbar.getByRole('button', { name: /^Show problems\s*5$/ }).focus();
  // They are counted once on a page.
  expect(await page.getByRole('button', { name: /^\d+ problems?$/ }).count()).toBe(0);
  await page.keyboard.press('Enter');
  const list = page.getByRole('dialog', { name: 'Problems' });
  await list.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await list.getByRole('button', { name: /Error\s*block ask, save_to/ }).focus();
  await page.keyboard.press('Enter');
  const panel = page.locator('.panel');
  await expect
    .poll(() => panel.getByLabel('Save answer to (optional)').first().and(page.locator(':focus')).count())
    .toBe(1);
  await panel.getByRole('button', { name: 'Create field “carrier”' }).focus();
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Create field “carrier”' }).waitFor({ state: 'detached' });
  const { body } = await call<{ data: { key: string; type: string }[] }>('GET', '/custom-fields');
  expect(body.data).toMatchObject([{ key: 'carrier', type: 'text' }]);

  await panel.getByRole('button', { name: 'Use {{first_name}}' }).click();
  await panel.getByRole('button', { name: 'Connect “invalid” to …' }).click();
  await page.getByRole('menuitem', { name: 'tag' }).click();
  await expect.poll(() => panel.getByLabel('On invalid').first().inputValue()).toBe(`${markup} (tag)`);
  await openBlock(page, 'tag');
  await panel.getByRole('button', { name: 'Create tag “vip”' }).click();
  await toolbar.getByRole('button', { name: /^Show problems\s*1$/ }).waitFor();
  // The list of tags is open by now.
  await page.keyboard.press('Escape');
  expect(await findBarriers(page)).toEqual([]);
  await expect
    .poll(async () => (await stored()).blocks[0])
    .toEqual({
      ...definition.blocks[0],
      prompt: `Hi {{first_name|default:"you"}} ${markup} {{nope<img>}}`,
      next: { timeout: null, invalid: 'tag' },
    });
  expect((await call<{ data: { name: string }[] }>('GET', '/tags')).body.data).toMatchObject([{ name: 'vip' }]);
});
