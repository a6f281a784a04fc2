import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { flowCalls } from '../../helpers/flows.ts';
import type { TestApi } from '../../helpers/api.ts';
import type { Web } from './web.ts';

type Raw = Readonly<Record<string, unknown>>;

type Options = Parameters<Web['open']>[1];

/** A new flow in the builder. */
export const openBuilder = async ({ api, web }: { api: TestApi; web: Web }, definition: object, options?: Options) => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  const { id } = await calls.create(definition);
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session, ...options });
  await page.getByRole('toolbar').first().waitFor();
  const stored = async () => (await calls.draft(id)).body.definition as { blocks: Raw[]; triggers?: Raw[] };
  return { ...calls, account, id, page, stored };
};

/** Opens the panel of a block from the canvas by keyboard. */
export const openBlock = async (page: Page, id: string) => {
  const face = page.locator(`[data-id="id:${id}"] .block-face`);
  await face.waitFor();
  await face.focus();
  await page.keyboard.press('Enter');
  const panel = page.locator('.panel');
  await panel.waitFor();
  return panel;
};

/** Saves the draft as its page does. */
export const saveDraft = async (page: Page): Promise<void> => {
  await page.getByRole('tab', { name: 'JSON', exact: true }).first().click();
  const save = page.getByRole('button', { name: 'Save draft' });
  await expect.poll(() => save.isEnabled()).toBe(true);
  await save.click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
};

/** Puts the focus on a field of the panel by Tab alone, from where it is. */
export const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  const field = page.locator('.panel').getByLabel(name, { exact: true }).first();
  for (let presses = 0; presses < 120; presses += 1) {
    if ((await field.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${String(name)}`);
};
