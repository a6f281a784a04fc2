import { expect, test } from 'vitest';
import { aFlowDefinition } from '../../helpers/flows.ts';
import { openBlock, openBuilder } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

const three = () =>
  aFlowDefinition({
    blocks: ['a', 'b', 'c'].map((id, place, ids) => ({
      id,
      type: 'send',
      messages: [{ text: id }],
      next: { default: ids[place + 1] ?? null },
    })),
  });

test.for([
  { width: 1024, height: 768 },
  { width: 800, height: 1100 },
])('at $width px the tools of the open block stand above its sheet, and “Add after” works', async (viewport) => {
  const { page, stored } = await openBuilder(both, three(), { viewport });
  await openBlock(page, 'b');
  const add = page.getByRole('button', { name: 'Add after', exact: true });
  const sheet = page.locator('.builder-side');
  await expect
    .poll(async () => {
      const [tool, cover] = [await add.boundingBox(), await sheet.boundingBox()];
      return tool && cover && tool.y + tool.height <= cover.y;
    })
    .toBe(true);
  await add.click();
  const palette = page.getByRole('dialog', { name: 'Add a block' });
  await palette.getByRole('option', { name: 'Send' }).first().click();
  await expect.poll(async () => (await stored()).blocks.length).toBe(4);
  await sheet.waitFor();
});

test('at 360 px the simulated phone leaves blocks in sight, and its button closes it', async () => {
  const { page } = await openBuilder(both, three(), { viewport: { width: 360, height: 740 } });
  await page.getByRole('button', { name: 'Try it' }).click();
  const phone = page.locator('.builder-phone');
  await phone.getByPlaceholder('Write as the contact').waitFor();
  const first = page.locator('.built-row').first();
  const [row, cover] = [await first.boundingBox(), await phone.boundingBox()];
  expect((row?.y ?? Infinity) + 40).toBeLessThan(cover?.y ?? 0);
  const composer = await phone.getByPlaceholder('Write as the contact').boundingBox();
  expect((composer?.y ?? Infinity) + (composer?.height ?? 0)).toBeLessThanOrEqual(740);
  await phone.getByRole('button', { name: 'Hide phone' }).click();
  await phone.waitFor({ state: 'hidden' });
});
