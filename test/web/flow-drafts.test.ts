import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deleteSession } from '../../src/shared/accounts/sessions.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const withDraft = async (definition: object = aFlowDefinition()) => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  const { id } = await calls.create(definition);
  return { account, id, ...calls };
};

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'The draft as JSON' });

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

test('what is typed while the draft is being saved stays, and is not taken for saved', async () => {
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
  await page.getByRole('button', { name: 'Save draft' }).click();
  await sent.promise;
  await editorOf(page).fill(textSaying('Second'));
  released.resolve();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByText('Not saved yet').waitFor();
  await editorOf(page).getByText('Second').waitFor();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect.poll(async () => JSON.stringify((await draft(id)).body.definition)).toContain('Second');
});

test('Back from a draft that is not saved asks, stays where told to, and leaves where told to', async () => {
  const { account, id } = await withDraft();
  const page = await web.open('/flows', { session: account.session });
  await page.getByRole('link', { name: 'Shirts' }).click();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await editorOf(page).fill(textSaying('Mine'));
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  const back = () => page.evaluate('history.go(-2)');
  await back();
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe(`/flows/${id}`);
  await back();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe(`/flows/${id}`);
  await back();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/flows');
});

test('signing out asks before a draft that is not saved is lost', async () => {
  const { account, id } = await withDraft();
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await editorOf(page).fill(textSaying('Mine'));
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await signOut(page);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'detached' });
  await editorOf(page).getByText('Mine').waitFor();
  await signOut(page);
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Mine');
});

test('a draft whose session ends before it is saved is there again after signing in', async () => {
  const { account, id, draft } = await withDraft();
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await editorOf(page).fill(textSaying('Mine'));
  await deleteSession(api.db, account.session);
  // The page may have heard of the end by itself.
  const signIn = page.getByRole('heading', { name: 'Sign in' });
  await page.getByRole('button', { name: 'Save draft' }).or(signIn).click();
  await signIn.waitFor();
  await page.reload();
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await editorOf(page).getByText('Mine').waitFor();
  await page.getByText('Not saved yet').waitFor();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect.poll(async () => JSON.stringify((await draft(id)).body.definition)).toContain('Mine');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Mine');
});
