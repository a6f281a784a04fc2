import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sendAnything } from '../helpers/test-endpoint.ts';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb({ testEndpoint: true });
const { api } = live;

/** Clicks what has this name, and counts it. */
const countedClicks = (page: Page) => {
  const counted = { clicks: 0 };
  const click = async (role: 'button' | 'link', name: string): Promise<void> => {
    await page.getByRole(role, { name, exact: true }).first().click();
    counted.clicks += 1;
  };
  return Object.assign(counted, { click });
};

test('a newcomer sees a signed event within 6 clicks, and a flow with a mapped field within 12', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  const newcomer = countedClicks(page);
  await newcomer.click('link', 'Start first steps');
  await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
  await newcomer.click('button', 'Create webhook');
  await page.getByText('Your webhook is verified and active.').waitFor();
  await newcomer.click('button', 'Send message');
  await page.getByText('Your first signed event!').waitFor();
  // Two events of one message may arrive in either order.
  await page
    .getByText(/^new_(contact|message) and new_(message|contact) arrived\. Both signatures are valid\.$/)
    .waitFor();
  expect(newcomer.clicks).toBeLessThanOrEqual(6);
  expect(await findBarriers(page)).toEqual([]);

  await newcomer.click('button', 'Create flow');
  await page.getByText('Your flow is live.').waitFor();
  await newcomer.click('button', 'Send “order”');
  await page.getByText('Flow: Your order is shipped.').waitFor();
  await page.getByText('is now “shipped”, from the test endpoint’s JSON.').waitFor();
  expect(newcomer.clicks).toBeLessThanOrEqual(12);
  expect(await findBarriers(page)).toEqual([]);
  await newcomer.click('button', 'Create webchat');
  const demo = page.getByRole('link', { name: 'Open demo page' });
  expect(await demo.getAttribute('href')).toMatch(/^\/webchat\/chn_\w+\/demo$/);
  expect(await findBarriers(page)).toEqual([]);
  expect(web.complaints()).toEqual([]);

  await page.getByRole('link', { name: 'Open contact' }).click();
  await page.getByText('shipped').first().waitFor();
});

test('first steps show the reply of the flow again after a way back, and each new reply', async () => {
  const account = await api.createAccount();
  const page = await web.open('/first-steps', { session: account.session });
  const newcomer = countedClicks(page);
  await newcomer.click('button', 'Create webhook');
  await newcomer.click('button', 'Send message');
  await newcomer.click('button', 'Create flow');
  await newcomer.click('button', 'Send “order”');
  await page.getByText('Flow: Your order is shipped.').waitFor();
  await page.reload();
  await page.getByText('Flow: Your order is shipped.').waitFor();
  await newcomer.click('link', 'Open test endpoint');
  const form = page.getByRole('region', { name: 'Response' });
  await form.getByLabel('JSON body').fill('{"order": {"status": "late"}}');
  await newcomer.click('button', 'Save response');
  await page.getByText('Response saved').waitFor();
  await newcomer.click('link', 'Open first steps');
  await newcomer.click('button', 'Send again');
  await page.getByText('Flow: Your order is late.').waitFor();
  await newcomer.click('link', 'Open test endpoint');
  await form.getByLabel('JSON body').fill('{}');
  await newcomer.click('button', 'Save response');
  await page.getByText('Response saved').waitFor();
  await newcomer.click('link', 'Open first steps');
  await newcomer.click('button', 'Send again');
  await page.getByText('Flow: Sorry, I could not find your order.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(web.complaints()).toEqual([]);
});

test('a flow from a template calls the test endpoint, and answers its user within 10 clicks', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  const newcomer = countedClicks(page);
  await newcomer.click('link', 'Flows');
  await newcomer.click('button', 'Create flow');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Shirts');
  await dialog.getByRole('button', { name: 'Create flow' }).click();
  await page.getByRole('heading', { name: 'Shirts', level: 1 }).waitFor();
  await page.getByRole('button', { name: /Order status by API/ }).click();
  await page.getByText('Calls the test endpoint of this installation.').waitFor();
  await newcomer.click('button', 'Use template');
  await page.getByText('is your draft now').waitFor();
  await newcomer.click('button', 'Publish');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published as version 1').waitFor();
  await newcomer.click('button', 'Send a message');
  await dialog.getByRole('textbox', { name: 'Message' }).press('Enter');
  const talk = dialog.getByRole('log', { name: 'Your conversation with the flow' });
  await talk.getByText('What is your order number?').waitFor();
  await dialog.getByRole('textbox', { name: 'Message' }).fill('1042');
  await page.keyboard.press('Enter');
  await talk.getByText('Your order 1042 is shipped.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await newcomer.click('link', 'Open conversation');
  await page.getByRole('log').getByText('Your order 1042 is shipped.').waitFor();
  expect(newcomer.clicks + 3).toBeLessThanOrEqual(10);
});

test('what comes to the test endpoint shows by itself, with its verification, headers and body', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/test-endpoint', { session });
  await page.getByRole('heading', { name: 'Waiting for the first request' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const challenge = page.getByRole('button', { name: /Challenge.*Signature valid/ });
  await challenge.click();
  await page
    .getByRole('group', { name: 'Headers' })
    .getByText(/X-Service-Signature/i)
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);

  const url = (await page.getByRole('region', { name: 'Address' }).locator('code').textContent()) ?? '';
  await sendAnything(`${url}/hello`, { body: '<b>bold</b>' });
  await page.getByRole('button', { name: /POST \/hello.*Not signed/ }).click();
  await page.getByRole('group', { name: 'Body' }).getByText('<b>bold</b>').waitFor();

  await page.getByRole('button', { name: 'Clear requests', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear requests' }).click();
  await page.getByRole('heading', { name: 'Waiting for the first request' }).waitFor();
});

test('what the owner types is answered from then on, and what is no JSON is refused at its field', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/test-endpoint', { session, colorScheme: 'dark' });
  const form = page.getByRole('region', { name: 'Response' });
  const url = (await page.getByRole('region', { name: 'Address' }).locator('code').textContent()) ?? '';
  await form.getByLabel('JSON body').fill('{"stock": ');
  await form.getByRole('button', { name: 'Save response' }).click();
  await form.getByText('This is not valid JSON.').waitFor();
  await form.getByLabel('JSON body').fill('{"stock": 12345678901234567890}');
  await form.getByLabel('Status').fill('503');
  await form.getByRole('button', { name: 'Save response' }).click();
  await page.getByText('Response saved').waitFor();
  expect(await sendAnything(url)).toMatchObject({ status: 503, text: '{"stock":12345678901234567890}' });
  expect(await findBarriers(page)).toEqual([]);
});
