import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import { findBarriers } from '../helpers/axe.ts';
import { readKept } from '../helpers/kept-drafts.ts';
import { useWeb } from '../helpers/web.ts';

const { api, web } = await useWeb();

// Requests that a test cuts off are no fault of the page.
afterEach(() => {
  const others = web.complaints().filter((text) => !text.includes('ERR_FAILED'));
  if (others.length > 0) throw new Error(others.join('\n'));
});

type Texts = Record<'ask' | 'answer', string>;

const aFlow = ({ ask, answer }: Texts, more: readonly Readonly<Record<string, unknown>>[] = []) =>
  aFlowDefinition({
    blocks: [
      { id: 'ask', type: 'ask', prompt: ask },
      { id: 'answer', type: 'send', messages: [{ text: answer }] },
      ...more,
    ],
  });

const begun: Texts = { ask: 'Well?', answer: 'Hello' };

const openTwo = async () => {
  const account = await api.createAccount();
  const { create, draft, save } = flowCalls(api, account);
  const { id } = await create(aFlow(begun));
  const open = async (options = {}) => {
    const page = await web.open(`/flows/${id}?tab=json`, { session: account.session, ...options });
    await editorOf(page).getByText('Well?').waitFor();
    return page;
  };
  const stored = async () => JSON.stringify((await draft(id)).body.definition);
  return { id, open, stored, save, draft };
};

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'The draft as JSON' });
const stateOf = (page: Page) => page.getByRole('status', { name: 'State of the draft' });
const write = (page: Page, texts: Partial<Texts>) =>
  editorOf(page).fill(JSON.stringify(aFlow({ ...begun, ...texts }), null, 2));
const isSaved = (page: Page) => stateOf(page).getByText('Saved', { exact: true }).waitFor();

/** Keeps a page from saving until told otherwise. */
const cut = (page: Page) =>
  page.route('**/draft', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));

test('different blocks that two people change at the same time are both there, without a question', async () => {
  const { open, stored } = await openTwo();
  const [ana, ben] = [await open(), await open()];
  await cut(ana);
  await write(ana, { ask: 'By Ana?' });
  await stateOf(ana).getByText('Offline (kept here)').waitFor();
  await write(ben, { answer: 'By Ben' });
  await isSaved(ben);
  await ana.unroute('**/draft');
  await expect.poll(stored).toMatch(/By Ana\?.*By Ben/);
  await editorOf(ana).getByText('By Ben').waitFor();
  await editorOf(ben).getByText('By Ana?').waitFor();
  expect(await ana.getByRole('alert').count()).toBe(0);
});

test('of a block that two have changed both versions are shown, and what is typed meanwhile stays', async () => {
  const { open, stored } = await openTwo();
  const [ana, ben] = [await open(), await open()];
  await cut(ana);
  await write(ana, { ask: 'By Ana?' });
  await stateOf(ana).getByText('Offline (kept here)').waitFor();
  await write(ben, { ask: 'By Ben?' });
  await isSaved(ben);
  await ana.unroute('**/draft');
  const alert = ana.getByRole('alert').filter({ hasText: 'You, in another tab, changed the same block' });
  await alert.waitFor();
  await stateOf(ana).getByText('Conflict').waitFor();
  await write(ana, { ask: 'By Ana again?' });
  await alert.getByRole('button', { name: 'Choose versions' }).click();
  const dialog = ana.getByRole('dialog', { name: 'Choose a version' });
  await dialog.getByRole('row', { name: 'prompt By Ana again? By Ben?' }).waitFor();
  expect(await findBarriers(ana)).toEqual([]);
  expect(await stored()).toContain('By Ben?');
  await write(ben, { ask: 'By Ben once more?' });
  await dialog.getByRole('row', { name: 'prompt By Ana again? By Ben once more?' }).waitFor();
  await dialog.getByRole('button', { name: 'Keep this tab' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(stored).toContain('By Ana again?');
  await editorOf(ben).getByText('By Ana again?').waitFor();
});

test('of a block that two have added under one id both are kept, and the one here gets a new id', async () => {
  const { open, stored, save, id, draft } = await openTwo();
  const ana = await open();
  await cut(ana);
  const withNew = (text: string) => aFlow(begun, [{ id: 'new', type: 'send', messages: [{ text }] }]);
  await editorOf(ana).fill(JSON.stringify(withNew('By Ana'), null, 2));
  await stateOf(ana).getByText('Offline (kept here)').waitFor();
  await save(id, withNew('By Ben'));
  await ana.unroute('**/draft');
  // Nobody else has the flow open: whoever it was is not known.
  await ana.getByRole('alert').filter({ hasText: 'Someone else changed the same block' }).waitFor();
  await ana.getByRole('button', { name: 'Choose versions' }).click();
  const dialog = ana.getByRole('dialog', { name: 'Choose a version' });
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(stored).toContain('By Ana');
  const { blocks } = (await draft(id)).body.definition;
  expect(blocks).toMatchObject([
    { id: 'ask' },
    { id: 'answer' },
    { id: 'new', messages: [{ text: 'By Ben' }] },
    { id: 'new_2', messages: [{ text: 'By Ana' }] },
  ]);
});

test('a version of somebody else that was chosen can be taken back by undo', async () => {
  const { open, stored, save, id } = await openTwo();
  const ana = await open();
  await cut(ana);
  await write(ana, { ask: 'By Ana?' });
  await stateOf(ana).getByText('Offline (kept here)').waitFor();
  await save(id, aFlow({ ...begun, ask: '<img src=x onerror=alert(1)>' }));
  await ana.unroute('**/draft');
  await ana.getByRole('button', { name: 'Choose versions' }).click();
  await ana.getByRole('dialog').getByRole('button', { name: 'Use theirs' }).click();
  await editorOf(ana).getByText('<img src=x').waitFor();
  await isSaved(ana);
  await editorOf(ana).focus();
  await ana.keyboard.press('Control+z');
  await expect.poll(stored).toContain('By Ana?');
});

test('a page that dies within a second of the last key goes on from it, with its steps', async () => {
  const { open, stored } = await openTwo();
  const page = await open({ alone: true });
  await cut(page);
  await write(page, { ask: 'Typed?' });
  await expect.poll(() => readKept(page)).toContain('Typed?');
  const cdp = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  cdp.send('Page.crash').catch(() => {});
  await crashed;
  const next = await page.context().newPage();
  await next.goto(page.url());
  await editorOf(next).getByText('Typed?').waitFor();
  await expect.poll(stored).toContain('Typed?');
  await editorOf(next).focus();
  await next.keyboard.press('Control+z');
  await expect.poll(stored).toContain('Well?');
});

test('what was changed offline is there after a reload, and is saved once the server answers', async () => {
  const { open, stored, save, id } = await openTwo();
  const page = await open();
  await cut(page);
  await write(page, { ask: 'Offline?' });
  await stateOf(page).getByText('Offline (kept here)').waitFor();
  await save(id, aFlow({ ...begun, answer: 'Meanwhile' }));
  await page.reload();
  await editorOf(page).getByText('Offline?').waitFor();
  await editorOf(page).getByText('Meanwhile').waitFor();
  await page.unroute('**/draft');
  await expect.poll(stored).toMatch(/Offline\?.*Meanwhile/);
});

test('undo goes back over saves, tabs of the page and a reload', async () => {
  const { open, stored } = await openTwo();
  const page = await open();
  await write(page, { ask: 'Second?' });
  await isSaved(page);
  await expect.poll(stored).toContain('Second?');
  await page.getByRole('tab', { name: 'Builder' }).click();
  await page.reload();
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect.poll(() => undo.getAttribute('data-disabled')).not.toBe('true');
  await undo.click();
  await expect.poll(stored).toContain('Well?');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(stored).toContain('Second?');
});

test('a draft that the server refuses says why, stays, and is saved once that is fixed', async () => {
  const { open, stored } = await openTwo();
  const page = await open();
  const deep = '['.repeat(40) + ']'.repeat(40);
  await editorOf(page).fill(`{"start": "ask", "blocks": [], "deep": ${deep}}`);
  await stateOf(page)
    .getByText(/nested more than 32 deep/)
    .waitFor();
  await write(page, { ask: 'Fixed?' });
  await isSaved(page);
  expect(await stored()).toContain('Fixed?');
});
