import { expect, test } from 'vitest';
import { aFlowDefinition } from '../helpers/flows.ts';
import { findBarriers } from './helpers/axe.ts';
import { chooseByKeys, openBuilder } from './helpers/builder.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const markup = '<img src=x onerror="globalThis.hacked = true">';

const send = (id: string, next: string | null) => ({
  id,
  type: 'send',
  messages: [{ text: `Text of ${id}` }],
  next: { default: next },
});

const narrow = { viewport: { width: 360, height: 740 } };
const wide = { viewport: { width: 1440, height: 960 } };

const open = async (definition: object, options: typeof narrow) => {
  const builder = await openBuilder({ api, web }, definition, options);
  const { page, stored } = builder;
  const list = page.getByRole('list', { name: 'Blocks of the flow' });
  const row = (id: string) => list.locator(`[data-ref="${id}"]`);
  const told = (text: string | RegExp) => page.locator('.builder-said').getByText(text).waitFor();
  const focused = async () => page.evaluate<string>(`document.activeElement.closest('[data-ref]')?.dataset.ref ?? ''`);
  const ids = async () => (await stored()).blocks.map(({ id }) => id);
  const wires = async () =>
    (await stored()).blocks.map(({ id, next }) => `${String(id)} ${Object.values(next ?? {}).join(' ')}`);
  /** Goes to the list by Tab alone. */
  const tabToList = async (): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await focused()) !== '') return;
      await page.keyboard.press('Tab');
    }
    throw new Error('no Tab leads to the list');
  };
  const choose = async (dialog: string, filter: string): Promise<void> => {
    await page.getByRole('dialog', { name: dialog }).getByRole('combobox').fill(filter);
    await page.keyboard.press('Enter');
  };
  return { ...builder, list, row, told, focused, ids, wires, tabToList, choose };
};

const two = () => aFlowDefinition({ blocks: [send('a', 'b'), send('b', null)] });

test.for([wide, narrow])(
  'the list adds, names, connects, moves and deletes blocks by keys, and undo takes all back: $viewport.width px',
  async (size) => {
    const { page, told, focused, ids, wires, tabToList, choose, stored } = await open(two(), size);
    if (size === wide) {
      await page.getByRole('radio', { name: 'Drawing' }).focus();
      await page.keyboard.press('ArrowRight');
    }
    const before = await stored();
    await tabToList();
    expect(await focused()).toBe('@start');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('a');

    await page.keyboard.press('a');
    await choose('Add a block', 'add tag');
    await told('Added add_tag');
    await expect.poll(focused).toBe('add_tag');
    await expect.poll(wires).toEqual(['a add_tag', 'add_tag b', 'b ']);
    await page.keyboard.press('b');
    await choose('Add a block', 'delay');
    await expect.poll(focused).toBe('delay');
    await expect.poll(wires).toEqual(['a delay', 'delay add_tag', 'add_tag b', 'b ']);

    await page.keyboard.press('F2');
    await page.keyboard.type('Pause');
    await page.keyboard.press('Enter');
    await told('Renamed to Pause');
    await expect.poll(focused).toBe('delay');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('add_tag');
    await page.keyboard.press('Delete');
    await told('Block deleted');
    await expect.poll(wires).toEqual(['a delay', 'delay b', 'b ']);
    await expect.poll(focused).toBe('delay');
    await page.keyboard.press('Alt+ArrowUp');
    await told('Moved to place 1 of the list. Wires stay.');
    await expect.poll(ids).toEqual(['delay', 'a', 'b']);
    expect(await wires()).toEqual(['delay b', 'a delay', 'b ']);
    await page.keyboard.press('c');
    await choose('Connect default to', 'end of');
    await told('Connected default to End of the run');
    await expect.poll(wires).toEqual(['delay ', 'a delay', 'b ']);
    expect(await findBarriers(page)).toEqual([]);

    await expect.poll(focused).toBe('delay');
    const steps = [
      'End the run at default',
      'Move delay in the list',
      'Delete add_tag',
      'Rename delay',
      'Add Delay',
      'Add Add tag',
    ];
    for (const step of steps) {
      await page.keyboard.press('Control+z');
      await told(`Undone: ${step}`);
      await expect.poll(focused).not.toBe('');
    }
    await expect.poll(stored).toEqual(before);
  },
);

test('each row has buttons: what it adds, where its ports lead, and a menu with all else', async () => {
  const { page, row, told, wires, choose } = await open(two(), narrow);
  await row('b').getByRole('button', { name: 'Add after b' }).click();
  await choose('Add a block', 'ask');
  await expect.poll(wires).toEqual(['a b', 'b ask', 'ask ']);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(() => page.locator('.panel').count()).toBe(0);
  await expect.poll(() => page.evaluate(`document.activeElement.closest('[data-ref]').dataset.ref`)).toBe('ask');
  await row('a').getByRole('button', { name: 'next → b' }).click();
  await choose('Connect default to', 'new block');
  await choose('Add a block', 'set field');
  await told('Added set_field');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await row('ask').getByRole('button', { name: 'More for ask' }).click();
  await choose('ask', 'start here');
  await told('Connected Start to ask');
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('More for ask');
  expect(await findBarriers(page)).toEqual([]);
});

test('a narrow screen begins with the list near its top, and a choice of the drawing is remembered', async () => {
  const { page, list, row } = await open(two(), narrow);
  const topOf = async () => (await row('@start').boundingBox())?.y ?? 740;
  expect(await topOf()).toBeLessThan(260);
  await page.getByRole('radiogroup', { name: 'Show blocks as' }).locator('label').first().click();
  const canvas = page.getByRole('application', { name: 'Canvas of the flow' });
  await canvas.waitFor();
  expect((await canvas.boundingBox())?.y).toBeLessThan(220);
  await page.reload();
  await canvas.waitFor();
  expect(await list.count()).toBe(0);
});

test('text is found in the list, and no text of a definition becomes markup there', async () => {
  const blocks = [
    { ...send('a', 'b'), name: markup.slice(0, 60) },
    { id: 'b', type: 'ask', prompt: markup, next: { [markup]: markup } },
    { id: markup, type: markup },
    { type: 'send', messages: [{ text: 'No id' }] },
  ];
  const { page, list, tabToList, focused } = await open(aFlowDefinition({ blocks }), narrow);
  await tabToList();
  await page.keyboard.press('Control+f');
  await page.getByRole('search').getByRole('textbox').fill('no id');
  await page.getByRole('search').getByText('1 of 1').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('@place:3');
  await page.keyboard.press('Enter');
  await page.locator('.panel').getByText('This block has no ID').waitFor();
  expect(await list.locator('img').count()).toBe(0);
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
});

test('a port of the form connects to a new block, and Escape goes back from the form to the block', async () => {
  const { page, wires, tabToList, focused } = await open(two(), wide);
  await page.getByRole('radio', { name: 'Drawing' }).focus();
  await page.keyboard.press('ArrowRight');
  await tabToList();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await chooseByKeys(page, 'On next', 'New block …');
  await page.getByRole('dialog', { name: 'Add a block on next' }).getByRole('combobox').fill('close');
  await page.keyboard.press('Enter');
  await expect.poll(wires).toEqual(['a close_conversation', 'close_conversation b', 'b ']);
  await expect.poll(focused).toBe('close_conversation');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Name of the block');
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('close_conversation');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.panel').count()).toBe(0);
});
