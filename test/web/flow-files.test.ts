import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const openImport = async (page: Page) => {
  await page.getByRole('button', { name: 'Import file' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Import file' });
  await dialog.waitFor();
  return dialog;
};

const choose = (page: Page, path: string) => page.locator('input[type="file"]').setInputFiles(path);

/** An account with a flow, and the file that its page exports. */
const withFile = async () => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  const { id } = await calls.create(aFlowDefinition({ text: 'From the file' }));
  const page = await web.open(`/flows/${id}`, { session: account.session });
  await page.getByRole('button', { name: 'More actions for this flow' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Shirts.json');
  const folder = tempFolder('flow-files');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'Shirts.json');
  await download.saveAs(file);
  await page.goto(`${api.url}/flows`);
  return { ...calls, page, file };
};

test('a flow that was exported is imported as a new draft', async () => {
  const { page, file, draft } = await withFile();
  const dialog = await openImport(page);
  await choose(page, file);
  await dialog.getByRole('button', { name: 'Import file' }).click();
  const imported = page.getByRole('dialog', { name: 'Flow imported' });
  await imported.getByText('Nothing is missing.').waitFor();
  await imported.getByRole('link', { name: 'Open flow' }).click();
  await page.getByRole('heading', { name: 'Shirts', level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.replace('/flows/', '');
  expect(JSON.stringify((await draft(id)).body.definition)).toContain('From the file');
});

test('a file that changes after it was chosen is chosen again, and then imported', async () => {
  const { page, file } = await withFile();
  const dialog = await openImport(page);
  await choose(page, file);
  await writeFile(file, 'no longer JSON');
  await dialog.getByRole('button', { name: 'Import file' }).click();
  await dialog.getByText('The file has changed. Choose it again.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Import file' }).isDisabled()).toBe(true);
  expect(await page.locator('input[type="file"]').evaluate((input: { value: string }) => input.value)).toBe('');
  await choose(page, file);
  await dialog.getByRole('button', { name: 'Import file' }).click();
  await dialog.getByText('This file is not valid JSON.').waitFor();
  expect(await dialog.getByText('The file has changed').count()).toBe(0);
});

test('an import whose dialog is closed is not shown as the result of the next one', async () => {
  const { page, file } = await withFile();
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/flows/import', async (route) => {
    sent.resolve();
    await released.promise;
    await route.continue();
  });
  const dialog = await openImport(page);
  await choose(page, file);
  await dialog.getByRole('button', { name: 'Import file' }).click();
  await sent.promise;
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  released.resolve();
  await expect.poll(() => page.getByRole('link', { name: 'Shirts' }).count()).toBe(2);
  await openImport(page);
  expect(await page.getByRole('dialog', { name: 'Flow imported' }).count()).toBe(0);
});
