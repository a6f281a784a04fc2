import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { flowCalls } from '../../helpers/flows.ts';
import type { TestApi } from '../../helpers/api.ts';
import type { Web } from './web.ts';

type Raw = Readonly<Record<string, unknown>>;

type Options = NonNullable<Parameters<Web['open']>[1]> & {
  /** The account's custom fields. The builder reads them once, when it opens. */
  customFields?: readonly { key: string; name: string; type: string }[];
};

/** A new flow in the builder. */
export const openBuilder = async (
  { api, web }: { api: TestApi; web: Web },
  definition: object,
  { customFields = [], ...options }: Options = {},
) => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  for (const field of customFields) await calls.call('POST', '/custom-fields', field);
  const { id } = await calls.create(definition);
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session, ...options });
  await page.getByRole('toolbar').first().waitFor();
  /** The draft as it is saved by itself. */
  const stored = async () => (await calls.draft(id)).body.definition as { blocks: Raw[]; triggers?: Raw[] };
  return { ...calls, account, id, page, stored };
};

/** Opens the panel of a block from the canvas or the list by keyboard. */
export const openBlock = async (page: Page, id: string) => {
  const face = page.locator(`:is([data-id="id:${id}"], [data-ref="${id}"]) .block-face`);
  await face.waitFor();
  await face.focus();
  await page.keyboard.press('Enter');
  const panel = page.locator('.panel');
  await panel.waitFor();
  return panel;
};

/** Puts the focus on a field of the panel by Tab alone, from where it is. */
export const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  const panel = page.locator('.panel');
  const field = panel.getByLabel(name, { exact: true }).or(panel.getByRole('button', { name, exact: true }));
  for (let presses = 0; presses < 120; presses += 1) {
    if ((await field.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${String(name)}`);
};

/** Types into a field of the panel that Tab leads to, in the place of what is there. */
export const fillByKeys = async (page: Page, name: string | RegExp, text: string): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
};

/** Chooses an option of a select of the panel that Tab leads to. */
export const chooseByKeys = async (page: Page, name: string | RegExp, option: string): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.press('ArrowDown');
  const wanted = page.getByRole('option', { name: option, exact: true }).filter({ visible: true });
  await wanted.waitFor();
  const chosen = wanted.and(page.locator('[data-combobox-selected]'));
  // A list that is drawn anew at this moment does not hear the key, or forgets where the arrows were.
  await expect
    .poll(async () => {
      const isOpen = await wanted.isVisible();
      if (isOpen) await page.keyboard.press((await chosen.count()) > 0 ? 'Enter' : 'ArrowDown');
      return isOpen;
    })
    .toBe(false);
};

/** Presses a button of the panel that Tab leads to. */
export const pressByKeys = async (page: Page, name: string | RegExp): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};
