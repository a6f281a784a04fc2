import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const saved = (page: Page) => page.getByRole('alert').filter({ hasText: 'Is this what you meant?' });

const dismiss = async (page: Page): Promise<void> => {
  await saved(page).getByRole('button', { name: 'Dismiss' }).click();
  await saved(page).waitFor({ state: 'detached' });
};

/** To another page and back, without loading anew. */
const leaveAndComeBack = async (page: Page): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await page.goBack();
};

test('the page of a webhook warns of its odd url, from saving until somebody dismisses the warning or changes the url', async () => {
  const { session } = await api.createAccount();
  const receiver = await startReceiver({ respond: ({ rawBody }) => ({ type: 'respond', body: rawBody }) });
  onTestFinished(() => receiver.close());
  const page = await web.open('/settings/webhooks', { session });
  const dialog = page.getByRole('dialog');
  const save = async (name: string, url: string) => {
    await dialog.getByLabel('URL').fill(url);
    await dialog.getByRole('button', { name }).click();
  };
  await page.getByRole('button', { name: 'Add webhook' }).first().click();
  await save('Save and verify', receiver.url('/hook?'));
  await saved(page).getByText('URL ends with "?", which is a part of it').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('link', { name: 'Open' }).click();
  await saved(page).getByText('URL ends with "?"').waitFor();
  await leaveAndComeBack(page);
  await saved(page).getByText('URL ends with "?"').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Edit' }).click();
  await save('Save', receiver.url('/a/../hook'));
  await dialog.getByRole('button', { name: 'Done' }).click();
  await saved(page)
    .getByText(`URL is called as ${receiver.url('/hook')}`)
    .waitFor();
  expect(await saved(page).getByText('"?"').count()).toBe(0);
  await dismiss(page);
  await leaveAndComeBack(page);
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  expect(await saved(page).count()).toBe(0);

  await page.getByRole('button', { name: 'Edit' }).click();
  await save('Save', receiver.url('/hook?'));
  await dialog.getByRole('button', { name: 'Done' }).click();
  await saved(page).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await save('Save', receiver.url('/hook'));
  await saved(page).waitFor({ state: 'detached' });
});

test('the page of a channel warns of white space around its secret, also after another field has changed', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/channels', { session, viewport: { width: 360, height: 740 } });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create channel' }).first().click();
  await dialog.getByRole('radio', { name: 'Your server (API)' }).check();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop');
  await dialog.getByRole('textbox', { name: 'Callback URL' }).fill('https://127.0.0.1/to-visitors?');
  await dialog.getByRole('textbox', { name: 'Secret' }).fill('a secret of my own ');
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await saved(page).getByText('Secret ends with white space, which is a part of it').waitFor();
  await saved(page).getByText('Callback URL ends with "?", which is a part of it').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Edit channel' }).click();
  await dialog.getByRole('textbox', { name: 'Callback URL' }).fill('https://127.0.0.1/to-visitors');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await saved(page).getByText('"?"').waitFor({ state: 'detached' });
  await saved(page).getByText('Secret ends with white space').waitFor();
  await dismiss(page);
});

test('the list of credentials warns of white space around a value by its name, and shows the value nowhere', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/credentials', { session });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create credential' }).first().click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shop');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'User name and password' }).click();
  await dialog.getByLabel('User name').fill(' ada');
  await dialog.getByRole('textbox', { name: 'Password' }).fill('t0ps3cret ');
  await dialog.getByLabel('Hosts').first().fill('api.example.com');
  await dialog.getByRole('button', { name: 'Create credential' }).click();
  await saved(page).getByText('“shop” is saved').waitFor();
  await saved(page).getByText('User name begins with white space').waitFor();
  await saved(page).getByText('Password ends with white space').waitFor();
  expect(await page.content()).not.toContain('t0ps3cret');
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Replace' }).click();
  await dialog.getByLabel('User name').fill('ada');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(' t0ps3cret');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await saved(page).getByText('Password begins with white space').waitFor();
  expect(await saved(page).getByText('User name').count()).toBe(0);
  await dismiss(page);
});

test('publishing a flow that fires its own trigger says so before and after, with the block and what helps, until dismissed', async () => {
  const account = await api.createAccount();
  const definition = aFlowDefinition({
    blocks: [{ id: 'mark', type: 'add_tag', tag: 'spark' }],
    triggers: [{ type: 'tag_applied', tag: 'spark' }],
  });
  const { id } = await flowCalls(api, account).create(definition);
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  await page
    .getByRole('status')
    .getByText(/^\d warnings?$/)
    .waitFor();
  const dialog = page.getByRole('dialog');
  const alert = page.getByRole('alert').filter({ hasText: 'Published, with warnings' });
  await page.getByRole('button', { name: 'Publish' }).click();
  await dialog.getByText(/The draft has (one warning|\d warnings)\./).waitFor();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  const told = alert.getByRole('listitem').filter({ hasText: 'mark' });
  await told.filter({ hasText: 'tag is the tag that starts this flow, so each run may start another' }).waitFor();
  await told.getByText('Let a condition stop the loop').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await leaveAndComeBack(page);
  await alert.getByRole('button', { name: 'Dismiss' }).click();
  await alert.waitFor({ state: 'detached' });
});
