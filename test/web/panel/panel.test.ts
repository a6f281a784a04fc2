import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { openBlock, openBuilder, tabTo } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

const markup = '<img src=x onerror=alert(1)>';

const say = (id: string, text: string, rest: object = {}) => ({ id, type: 'send', messages: [{ text }], ...rest });

const definition = (blocks: readonly object[], rest: object = {}) => ({
  schema_version: 1,
  start: 'ask',
  triggers: [],
  blocks,
  ...rest,
});

const size = { key: 'size', name: 'Size', type: 'text' };

const ask = { id: 'ask', type: 'ask', prompt: 'Which size?', save_to: 'size', next: { invalid: null, timeout: null } };

test('{{ proposes names with type, sample and whether earlier blocks set them; | proposes filters', async () => {
  const customFields = [size, { key: 'late', name: 'Late', type: 'number' }];
  const { page, stored } = await openBuilder(both, definition([ask, say('reply', 'Hi')]), { customFields });
  const panel = await openBlock(page, 'reply');
  const text = panel.getByRole('textbox', { name: 'Text', exact: true });
  await expect.poll(() => text.getAttribute('contenteditable')).toBe('true');
  await tabTo(page, 'Text');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' {{si');
  const list = page.getByRole('listbox');
  await list.getByRole('option', { name: /^size\s*text · set by earlier blocks/, selected: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await text.getByText('Hi {{size}}').waitFor();
  expect(await text.locator('.template-known').textContent()).toBe('{{size}}');
  await page.keyboard.type(' {{lat');
  await list.getByRole('option', { name: /^late\s*number · from the contact, may be empty/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('|def');
  await list.getByRole('option', { name: /^default/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('0');
  await expect.poll(() => text.textContent()).toBe('Hi {{size}} {{late|default:"0"}}');
  await expect
    .poll(async () => (await stored()).blocks[1])
    .toMatchObject({ messages: [{ text: 'Hi {{size}} {{late|default:"0"}}' }] });
});

test('what is typed into a text before its editor has come stays, with the cursor', async () => {
  const { page } = await openBuilder(both, definition([say('ask', '')]), { viewport: { width: 1280, height: 900 } });
  let letIn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  await page.route(/\/assets\/.*editor.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  const panel = await openBlock(page, 'ask');
  const plain = panel.locator('textarea').first();
  await plain.click();
  await page.keyboard.type('Hello');
  letIn();
  const text = panel.getByRole('textbox', { name: 'Text', exact: true });
  await expect.poll(() => text.getAttribute('contenteditable')).toBe('true');
  await page.keyboard.type(' Ada');
  await text.getByText('Hello Ada').waitFor();
});

test('the panel names a block, tells its id, and lets each of its ports be connected by keyboard', async () => {
  const { page, stored } = await openBuilder(both, definition([ask, say('first', 'a'), say('second', markup)]));
  const panel = await openBlock(page, 'ask');
  await tabTo(page, 'Name of the block');
  await page.keyboard.type(`Size ${markup}`);
  await panel.getByText('ask', { exact: true }).waitFor();
  await tabTo(page, 'On answered');
  expect(await panel.getByLabel('On answered').first().inputValue()).toBe('Next in the list: first');
  await page.keyboard.type('second');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, 'On timeout');
  expect(await panel.getByLabel('On timeout').first().inputValue()).toBe('End of the flow');
  await page.keyboard.type('Run fails');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await findBarriers(page)).toEqual([]);
  await expect
    .poll(async () => (await stored()).blocks[0])
    .toEqual({
      ...ask,
      name: `Size ${markup}`,
      next: { answered: 'second', invalid: null },
    });
});

test('a block can be edited as JSON beside its form; what is no JSON or has no id changes nothing', async () => {
  const { page, stored } = await openBuilder(both, definition([say('ask', 'a'), say('other', 'b')]));
  const panel = await openBlock(page, 'ask');
  await panel.getByRole('tab', { name: 'JSON' }).focus();
  await page.keyboard.press('Enter');
  const editor = panel.getByRole('textbox', { name: 'ask as JSON' });
  await editor.getByText('"messages"').waitFor();
  await editor.fill('{"id": "ask", ');
  await panel.getByText('Not applied: this is not a JSON object.').waitFor();
  await editor.fill('{"id": "other", "type": "end"}');
  await panel.getByText('Not applied: the block needs an ID that no other block has.').waitFor();
  await editor.fill(JSON.stringify({ id: 'ask', type: 'send', messages: [{ text: 'changed' }] }, null, 2));
  await panel.getByRole('tab', { name: 'Form' }).click();
  await panel.getByRole('textbox', { name: 'Text', exact: true }).getByText('changed').waitFor();
  await expect.poll(async () => (await stored()).blocks).toEqual([say('ask', 'changed'), say('other', 'b')]);
});

test('values that a form cannot show stay as they are, and lead to the JSON', async () => {
  const broken = {
    id: 'ask',
    type: 'ask',
    prompt: { text: markup },
    expects: ['text'],
    choices: 'none',
    save_to: 7,
    retries: 'many',
    timeout: 'soon',
    early: markup,
    next: { answered: 7, timeout: 'nowhere' },
  };
  const odd = { id: 'wait', type: 'delay', for: 12, until: [], window: 'never', next: [] };
  const { page, stored } = await openBuilder(both, definition([broken, odd, { id: 'what', type: markup }]));
  const panel = await openBlock(page, 'ask');
  await expect.poll(() => panel.getByText('This form cannot show the value.').count()).toBe(7);
  await panel.getByText('“nowhere” does not exist').or(panel.getByLabel('On timeout').first()).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await tabTo(page, 'Name of the block');
  await page.keyboard.type('Odd');
  await panel.getByRole('button', { name: 'Edit JSON' }).first().click();
  await panel.getByRole('textbox', { name: 'ask as JSON' }).getByText('"many"').waitFor();
  await openBlock(page, 'wait');
  await expect.poll(() => panel.getByText('This form cannot show the value.').count()).toBe(4);
  await expect
    .poll(async () => (await stored()).blocks)
    .toEqual([{ ...broken, name: 'Odd' }, odd, { id: 'what', type: markup }]);
});

test('on a phone the panel is a sheet over the list, and both are well in light and dark', async () => {
  const { page } = await openBuilder(both, definition([ask, say('reply', '{{size}} {{nope}}')]), {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  });
  const panel = await openBlock(page, 'reply');
  await panel.locator('.template-unknown').getByText('{{nope}}').waitFor();
  const box = await page.locator('.builder-side').boundingBox();
  expect(box && [box.x, Math.round(box.y + box.height), box.width]).toEqual([0, 740, 360]);
  expect(await findBarriers(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await findBarriers(page, { onlyLooks: true })).toEqual([]);
  await panel.getByRole('button', { name: 'Close', exact: true }).click();
  await panel.waitFor({ state: 'detached' });
});

test('Ctrl+Z in a text undoes the step of the draft, and Ctrl+Y brings it back', async () => {
  const { page, stored } = await openBuilder(both, definition([say('ask', 'First')]));
  const panel = await openBlock(page, 'ask');
  const text = panel.getByRole('textbox', { name: 'Text', exact: true });
  await expect.poll(() => text.getAttribute('contenteditable')).toBe('true');
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' and more');
  await expect.poll(() => text.textContent()).toBe('First and more');
  await page.keyboard.press('Control+z');
  await expect.poll(() => text.textContent()).toBe('First');
  await page.keyboard.press('Control+y');
  await expect.poll(() => text.textContent()).toBe('First and more');
  await expect.poll(async () => (await stored()).blocks).toEqual([say('ask', 'First and more')]);
});

test('proposed names show what the chosen contact has, as text', async () => {
  const { page, call } = await openBuilder(both, definition([say('ask', 'Hi')]), { customFields: [size] });
  await call('POST', '/contacts', { first_name: 'Ada', last_name: markup, custom_fields: { size: 'XL' } });
  const panel = await openBlock(page, 'ask');
  await tabTo(page, 'Contact');
  await page.getByRole('option', { name: /^Ada/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const text = panel.getByRole('textbox', { name: 'Text', exact: true });
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' {{si');
  await page.getByRole('option', { name: /^size\s*text · from the contact, may be empty · “XL”/ }).waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('last');
  const option = page.getByRole('option', { name: /^last_name/ });
  await expect.poll(() => option.textContent()).toContain(`“${markup}”`);
});
