import { expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

/** The JSON of a new flow with this definition. */
const openJson = async (definition: object) => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  const { id } = await calls.create(definition);
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  const editor = page.getByRole('textbox', { name: 'The draft as JSON' });
  await editor.getByText('"blocks"').waitFor();
  return { ...calls, account, id, page, editor };
};

test('what was typed into a draft can be undone after another tab of the flow was open', async () => {
  const { page, editor } = await openJson(aFlowDefinition({ text: 'First' }));
  await editor.fill(JSON.stringify(aFlowDefinition({ text: 'Second' }), null, 2));
  await editor.getByText('Second').waitFor();
  await page.getByRole('tab', { name: 'Builder' }).click();
  await page.getByRole('application').getByText('Second').waitFor();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await editor.getByText('Second').waitFor();
  await editor.focus();
  await page.keyboard.press('Control+z');
  await editor.getByText('First').waitFor();
  expect(await editor.getByText('Second').count()).toBe(0);
  await page.keyboard.press('Control+y');
  await editor.getByText('Second').waitFor();
});

test('Ctrl+S saves the draft', async () => {
  const { id, call, page, editor } = await openJson(aFlowDefinition({ text: 'First' }));
  await editor.fill(JSON.stringify(aFlowDefinition({ text: 'Second' })));
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await expect.poll(async () => JSON.stringify((await call('GET', `/flows/${id}/draft`)).body)).toContain('"Second"');
});

test('a problem of a draft is told below the line of its value, and its place in words', async () => {
  const { page, editor } = await openJson({
    ...aFlowDefinition(),
    start: 'ask',
    blocks: [{ id: 'ask', type: 'ask', prompt: 'Well?', next: { answered: 'nowhere', timeout: null, invalid: null } }],
  });
  const lines = editor.locator('.cm-line, .json-note');
  await editor.locator('.json-note').first().waitFor();
  const texts = await lines.allTextContents();
  const place = texts.findIndex((text) => text.includes('"nowhere"'));
  expect(texts[place + 1]).toMatch(/is not a block of this flow/);
  const problems = page.getByRole('region', { name: 'Problems' });
  await problems.getByRole('button', { name: /block ask, on answered/ }).waitFor();
  expect(await problems.getByText('blocks.0').count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('a Publish that cannot be pressed says why, and how many problems lead to their list', async () => {
  const { page, editor, account, createLive } = await openJson(aFlowDefinition());
  await editor.fill('{"start": ');
  const publish = page.getByRole('button', { name: 'Publish' });
  await expect.poll(() => publish.getAttribute('aria-disabled')).toBe('true');
  await publish.focus();
  await page.getByRole('tooltip').getByText('Publishing needs valid JSON in the draft.').waitFor();
  await page.getByRole('tab', { name: 'Builder' }).click();
  await page.getByRole('button', { name: '1 problem', exact: true }).click();
  await page.getByRole('region', { name: 'Problems' }).waitFor();

  const live = await createLive(aFlowDefinition());
  const other = await web.open(`/flows/${live.id}`, { session: account.session });
  const described = other.getByRole('button', { name: 'Publish', description: /^Version 1 is published/ });
  await described.waitFor();
  await described.focus();
  await other.keyboard.press('Enter');
  expect(await other.getByRole('dialog').count()).toBe(0);
  expect(await findBarriers(other)).toEqual([]);
});

test('the JSON editor proposes keys and values from the schema, and Tab still leaves it', async () => {
  const { page, editor } = await openJson(aFlowDefinition());
  await editor.fill('{"start": "size", "blocks": [{"id": "size", ');
  await page.keyboard.press('Control+End');
  const list = page.getByRole('listbox', { name: 'Completions' });
  const said = () => editor.locator('.cm-line').allTextContents();

  await page.keyboard.type('"ty');
  await list.getByRole('option', { name: 'type', exact: true, selected: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect.poll(said).toEqual(['{"start": "size", "blocks": [{"id": "size", "type": ""']);
  await list.getByRole('option', { name: 'external_request' }).waitFor();
  await page.keyboard.type('as');
  await list.getByRole('option', { name: 'ask' }).click();
  await expect.poll(said).toEqual(['{"start": "size", "blocks": [{"id": "size", "type": "ask"']);

  await page.keyboard.press('Control+Space');
  await list.getByRole('option', { name: /^prompt\s*The question/ }).click();
  await expect.poll(said).toEqual(['{"start": "size", "blocks": [{"id": "size", "type": "ask", "prompt": ""']);
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Space');
  await list.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement.matches(".cm-content")')).toBe(false);
  expect((await said()).join('')).toMatch(/"prompt": ""$/);
});
