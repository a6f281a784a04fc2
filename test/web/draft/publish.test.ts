import { afterEach, expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import { findBarriers } from '../helpers/axe.ts';
import { useWeb } from '../helpers/web.ts';

const { api, web } = await useWeb();

// Requests that a test cuts off are no fault of the page.
afterEach(() => {
  const others = web.complaints().filter((text) => !text.includes('ERR_FAILED'));
  if (others.length > 0) throw new Error(others.join('\n'));
});

const aFlow = (texts: Readonly<Record<string, string>>) =>
  aFlowDefinition({
    blocks: Object.entries(texts).map(([id, text]) => ({ id, type: 'send', messages: [{ text }] })),
  });

const openLive = async (path = '?tab=json') => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  const { id } = await calls.createLive(aFlow({ greet: 'Hello', bye: 'Bye' }));
  const stored = async () => JSON.stringify((await calls.draft(id)).body.definition);
  await calls.save(id, aFlow({ greet: '<b>Welcome</b>', thank: 'Thank you' }));
  const page = await web.open(`/flows/${id}${path}`, { session: account.session });
  return { ...calls, account, id, page, stored };
};

test('publishing shows what changes since the live version and keeps a note with the version', async () => {
  const { page, id, call } = await openLive();
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish “Shirts”/ });
  const changes = dialog.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  const said = async () => (await changes.allTextContents()).join(' ');
  await expect.poll(said).toMatch(/^ChangedBlock greet.*AddedBlock thank.*RemovedBlock bye/s);
  await changes.first().getByText('Block greet').click();
  await dialog.getByText('<b>Welcome</b>').waitFor();
  await dialog.getByText('No contact is in the flow.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Thanks at the end');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published as version 2').waitFor();
  expect((await call('GET', `/flows/${id}/versions/2`)).body).toMatchObject({ note: 'Thanks at the end' });
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('row', { name: /Version 2.*Thanks at the end/ }).waitFor();
});

test('an edit that somebody stores while the dialog is open is not published unseen', async () => {
  const { page, id, save, read } = await openLive();
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish “Shirts”/ });
  await dialog.getByText('Block thank').waitFor();
  // The page hears of nothing, as if the other one had been faster than its stream.
  await page.route(`**/flows/${id}`, (route) => route.abort());
  await save(id, aFlow({ greet: 'Half', thank: 'Unfinished' }));
  await page.route('**/publish', async (route) => {
    await route.continue();
  });
  const answered = page.waitForResponse('**/publish');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  expect((await answered).status()).toBe(412);
  expect((await read(id)).version).toBe(1);
  await page.unrouteAll();
});

test('discarding a draft makes it the live version again, and undo brings it back', async () => {
  const { page, stored } = await openLive();
  await page.getByRole('textbox', { name: 'The draft as JSON' }).getByText('Thank you').waitFor();
  await page.getByRole('button', { name: 'More actions for this flow' }).click();
  await page.getByRole('menuitem', { name: 'Discard draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
  await page.getByText('Draft discarded').waitFor();
  expect(await stored()).toContain('Bye');
  await page.getByRole('textbox', { name: 'The draft as JSON' }).focus();
  await page.keyboard.press('Control+z');
  await expect.poll(stored).toContain('Thank you');
});

test('a version says what another one has otherwise, as a list and on the drawing', async () => {
  const { page, id, publish, account } = await openLive();
  await publish(id);
  await page.goto(`${api.url}/flows/${id}/versions/2?with=1`);
  const list = page.getByRole('list', { name: 'Differences' });
  await list.getByText('Block bye').waitFor();
  await page.getByRole('tab', { name: 'Compare' }).click();
  const drawing = page.getByRole('application');
  await drawing.locator('[data-change="removed"]').getByText('bye', { exact: true }).waitFor();
  await drawing.locator('[data-change="added"]').getByText('Thank you', { exact: true }).waitFor();
  await drawing.locator('[data-change="changed"]').getByText('Changed').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const first = await web.open(`/flows/${id}/versions/1`, { session: account.session });
  await first.getByRole('combobox', { name: 'Compare with' }).click();
  await first.getByRole('option', { name: 'Version 2' }).click();
  await first.getByRole('list', { name: 'Differences' }).getByText('Block thank').waitFor();
});
