import { expect, test } from 'vitest';
import { aFlowDefinition } from '../helpers/flows.ts';
import { openBuilder, pressByKeys, tabTo } from './helpers/builder.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const send = (text: string, rest: object = {}) => ({
  type: 'send',
  messages: [{ text }],
  next: { default: null },
  ...rest,
});

/** The second block has the id of the first, and the third has none: the canvas stands them below each other. */
const open = async () => {
  const builder = await openBuilder(
    { api, web },
    aFlowDefinition({ blocks: [send('First', { id: 'a' }), send('Second', { id: 'a' }), send('Third')] }),
    { viewport: { width: 1440, height: 1000 } },
  );
  const { page, stored } = builder;
  const canvas = page.getByRole('application', { name: 'Canvas of the flow' });
  const focused = canvas.locator('.react-flow__node:has(:focus)');
  /** Goes by arrows to the block that says this. */
  const goTo = async (text: string): Promise<void> => {
    await canvas.focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp']) {
      if ((await focused.getByText(text).count()) > 0) return;
      await page.keyboard.press(key);
      await expect.poll(() => focused.count()).toBe(1);
    }
    await focused.getByText(text).waitFor();
  };
  const texts = async () => (await stored()).blocks.map(({ messages }) => (messages as { text: string }[])[0]?.text);
  return { ...builder, canvas, goTo, texts };
};

test('Delete takes the very block that has the focus: the second one of an id, or one without an id', async () => {
  const { page, goTo, texts } = await open();
  await goTo('Second');
  await page.keyboard.press('Delete');
  await expect.poll(texts).toEqual(['First', 'Third']);
  await goTo('Third');
  await page.keyboard.press('Delete');
  await expect.poll(texts).toEqual(['First']);
});

test('Enter opens the second block of an id, which shows its problem once, and a button gives it another', async () => {
  const { page, goTo, stored } = await open();
  await page.locator('.block-problems').first().waitFor();
  await goTo('Second');
  await page.keyboard.press('Enter');
  const panel = page.locator('.panel');
  await panel.getByText('Another block has the ID “a”').waitFor();
  expect(await panel.getByText(/is the id of/).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await pressByKeys(page, 'Assign another ID');
  await expect.poll(async () => (await stored()).blocks.map(({ id }) => id)).toEqual(['a', 'a_2', undefined]);
  await panel.getByRole('heading', { name: 'a_2' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Name of the block');
});

test('what is typed in the form of a block without an id stays in it, and the list of problems leads to it', async () => {
  const { page, stored, texts } = await open();
  await page.getByRole('button', { name: 'Show problems' }).click();
  const problem = page.getByRole('button', { name: /block 3/ }).first();
  await problem.click();
  const panel = page.locator('.panel');
  await panel.getByText('This block has no ID').waitFor();
  await tabTo(page, 'Text');
  await page.keyboard.press('End');
  await page.keyboard.type(' text');
  await expect.poll(texts).toEqual(['First', 'Second', 'Third text']);
  await page.getByRole('button', { name: 'Show problems' }).click();
  await page.getByRole('button', { name: 'Assign an ID' }).click();
  await expect.poll(async () => (await stored()).blocks.map(({ id }) => id)).toEqual(['a', 'a', 'send']);
  await panel.getByRole('heading', { name: 'send' }).waitFor();
});
