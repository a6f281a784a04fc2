import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { testEndpointOf } from '../helpers/test-endpoint.ts';
import { flowCalls } from '../helpers/flows.ts';
import { chooseByKeys, fillByKeys } from './helpers/builder.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb({ testEndpoint: true });
const { api } = live;

/** Puts the focus on an element by Tab alone. */
const reach = async (page: Page, wanted: Locator, key = 'Tab'): Promise<void> => {
  await wanted.first().waitFor();
  for (let presses = 0; presses < 150; presses += 1) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`no ${key} leads to ${String(wanted)}`);
};

const press = async (page: Page, wanted: Locator): Promise<void> => {
  await reach(page, wanted);
  await page.keyboard.press('Enter');
};

test('the reference flow is built from nothing, filled in, tried and published without a pointer', async () => {
  const account = await api.createAccount();
  const endpoint = await testEndpointOf(api, account);
  await endpoint.answers({ body: { order: { status: 'shipped' } } });
  const { create, draft, call } = flowCalls(api, account);
  const { id } = await create({ schema_version: 1, triggers: [], blocks: [] });
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session });
  await page.getByRole('heading', { name: 'Build your flow' }).waitFor();
  await page.evaluate(`addEventListener('pointerdown', () => { globalThis.pointed = true; }, true)`);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
  const panel = page.locator('.panel');
  /** Adds a block at a port of the open form, and opens its form. */
  const addAt = async (port: string, type: string, added: string): Promise<void> => {
    await chooseByKeys(page, port, 'New block …');
    await page
      .getByRole('dialog', { name: /^Add a block on/ })
      .getByRole('combobox')
      .waitFor();
    await page.keyboard.type(type);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toContain(added);
    await page.keyboard.press('Enter');
    await panel.getByRole('heading', { name: added }).waitFor();
  };

  await press(page, button(/^When a contact writes/));
  await panel.waitFor();
  await press(page, button(/^Ask or say something/));
  await panel.getByRole('heading', { name: 'Ask something' }).waitFor();
  await fillByKeys(page, 'Question', 'Which order?');

  await addAt('On answered', 'external', 'external_request');
  await fillByKeys(page, 'URL', `${endpoint.url}/order`);
  const tabs = page.getByRole('tablist', { name: 'External Request' });
  await reach(page, tabs.getByRole('tab', { name: 'Request' }), 'Shift+Tab');
  await reach(page, tabs.getByRole('tab', { name: 'Test' }), 'ArrowRight');
  await press(page, button('Send request'));
  const tree = page.getByRole('tree');
  await reach(page, tree.getByRole('treeitem'));
  await reach(page, tree.getByRole('treeitem').filter({ hasText: '"shipped"' }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Create field' }));
  await tree.getByText('→ order_status').waitFor();

  await addAt('On success', 'condition', 'condition');
  await chooseByKeys(page, 'Field', 'order_status');
  await chooseByKeys(page, 'On false', 'End of the flow');
  await addAt('On true', 'send', 'send');
  await fillByKeys(page, 'Text', 'Your order is {{order_st');
  await page.getByRole('option', { name: /order_status/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('.');

  await press(page, button('Try it'));
  const phone = page.getByRole('region', { name: 'Phone', exact: true });
  const chat = phone.getByRole('region', { name: 'Conversation with the flow' });
  await chat.getByText('Which order?').waitFor();
  await reach(page, phone.getByRole('textbox', { name: 'Message' }));
  await page.keyboard.type('1042');
  await page.keyboard.press('Enter');
  await press(page, button('Use success'));
  await chat.getByText(/^Your order is/).waitFor();

  await reach(page, button('Publish'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }));
  await page.getByText('Published as version 1').waitFor();
  expect((await draft(id)).body.definition).toMatchObject({
    start: 'ask_1',
    triggers: [{ type: 'keyword', match: 'exact', words: ['hello'] }],
    blocks: [
      { id: 'ask_1', type: 'ask', prompt: 'Which order?', next: { answered: 'external_request' } },
      {
        id: 'external_request',
        url: `${endpoint.url}/order`,
        mapping: [{ path: '$.order.status', field: 'order_status' }],
        next: { success: 'condition' },
      },
      { id: 'condition', rules: [{ field: 'order_status', op: 'is_set' }], next: { true: 'send', false: null } },
      { id: 'send', messages: [{ text: 'Your order is {{order_status}}.' }] },
    ],
  });
  expect((await call<{ status: string }>('GET', `/flows/${id}`)).body.status).toBe('live');
  expect(await page.evaluate('globalThis.pointed')).toBeUndefined();
});
