import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deleteSession } from '../../src/shared/accounts/sessions.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { readKept as kept } from './helpers/kept-drafts.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const withDraft = async (definition: object = aFlowDefinition()) => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  const { id } = await calls.create(definition);
  return { account, id, ...calls };
};

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'The draft as JSON' });

const stateOf = (page: Page) => page.getByRole('status', { name: 'State of the draft' });

const textSaying = (text: string) => JSON.stringify(aFlowDefinition({ text }));

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'You: ' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};

test('that a draft could not be published is told until the draft is changed', async () => {
  const { account, id } = await withDraft({ ...aFlowDefinition(), start: 'nowhere' });
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await editorOf(page).waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Not published' });
  await alert.waitFor();
  await editorOf(page).fill(textSaying('Hello'));
  await alert.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published as version 1').waitFor();
  expect(await alert.count()).toBe(0);
});

test('what is typed while the draft is being saved stays, and is saved next', async () => {
  const { account, id, draft } = await withDraft();
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/draft', async (route) => {
    if (route.request().method() === 'PUT') {
      sent.resolve();
      await released.promise;
    }
    await route.continue();
  });
  await editorOf(page).fill(textSaying('First'));
  await sent.promise;
  await editorOf(page).fill(textSaying('Second'));
  await stateOf(page).getByText('Saving …').waitFor();
  released.resolve();
  await expect.poll(async () => JSON.stringify((await draft(id)).body.definition)).toContain('Second');
  await stateOf(page).getByText('Saved').waitFor();
  await editorOf(page).getByText('Second').waitFor();
});

test('a page that is left right after a key saves what was typed, and asks nothing', async () => {
  const { account, id, draft } = await withDraft();
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await editorOf(page).fill(textSaying('Mine'));
  await page.getByRole('link', { name: 'Flows' }).first().click();
  await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor();
  await expect.poll(async () => JSON.stringify((await draft(id)).body.definition)).toContain('Mine');
  await page.getByRole('link', { name: 'Shirts' }).click();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await editorOf(page).getByText('Mine').waitFor();
});

test('a text that is no JSON yet is there again after another page and a reload, and is not saved', async () => {
  const { account, id, draft } = await withDraft();
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await editorOf(page).fill('{"start": "Mine');
  await stateOf(page).getByText('Not saved: no valid JSON').waitFor();
  await page.getByRole('link', { name: 'Flows' }).first().click();
  await page.getByRole('link', { name: 'Shirts' }).click();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await editorOf(page).getByText('Mine').waitFor();
  await expect.poll(() => kept(page)).toContain('Mine');
  await page.reload();
  await editorOf(page).getByText('Mine').waitFor();
  expect(JSON.stringify((await draft(id)).body.definition)).not.toContain('Mine');
  await editorOf(page).fill(textSaying('Whole'));
  await expect.poll(async () => JSON.stringify((await draft(id)).body.definition)).toContain('Whole');
});

test('signing out asks before a text is lost that is not saved, and leaves nothing of it here', async () => {
  const { account, id } = await withDraft();
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await editorOf(page).fill('{"start": "Mine');
  await expect.poll(() => kept(page)).toContain('Mine');
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await signOut(page);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'detached' });
  await editorOf(page).getByText('Mine').waitFor();
  await signOut(page);
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await kept(page)).not.toContain('Mine');
});

test('signing out right after a key saves the draft first', async () => {
  const { account, id, draft } = await withDraft();
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await editorOf(page).fill(textSaying('Mine'));
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(JSON.stringify((await draft(id)).body.definition)).toContain('Mine');
  expect(await kept(page)).not.toContain('Mine');
});

test('a draft whose session ends before it is saved is there again after signing in, and is saved', async () => {
  const { account, id, draft } = await withDraft();
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await editorOf(page).waitFor();
  await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await editorOf(page).fill(textSaying('Mine'));
  await expect.poll(() => kept(page)).toContain('Mine');
  await deleteSession(api.db, account.session);
  await page.reload();
  await page.unroute('**/draft');
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await editorOf(page).getByText('Mine').waitFor();
  await expect.poll(async () => JSON.stringify((await draft(id)).body.definition)).toContain('Mine');
  // Of the saves that were cut off.
  expect(web.complaints(page).filter((text) => !text.includes('net::ERR_FAILED'))).toEqual([]);
});
