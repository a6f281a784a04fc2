import { expect, test } from 'vitest';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';
import { createNewcomer, curlOf } from './helpers/newcomer.ts';

const { live, web } = await useLiveWeb({ testEndpoint: true });
const { api } = live;

const openFlows = async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/flows', { session });
  const answer = await api.request<{ url: string }>('GET', '/dashboard/api/test-endpoint', { session });
  return { page, newcomer: createNewcomer(page), url: answer.body.url };
};

test('a flow from nothing calls the test endpoint, maps a field and answers within 16 clicks', async () => {
  const { page, newcomer } = await openFlows();
  await newcomer.createFlow('Stock');
  await newcomer.press(/When a contact writes …/);
  await newcomer.press(/Call your API/);
  await newcomer.testAndChoose('status');
  await newcomer.press('Create field');
  await page.getByText('→ order_status').waitFor();
  await newcomer.reply('Your order is {{order_st');
  await page.getByRole('option', { name: /order_status/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('.');
  await page.getByText('Your order is {{order_status}}.').first().waitFor();
  await newcomer.publish();
  const talk = await newcomer.talk();
  await page.keyboard.press('Enter');
  await talk.getByText('Your order is shipped.').waitFor();
  expect(newcomer.counted.clicks).toBeLessThanOrEqual(16);
  expect(web.complaints()).toEqual([]);
});

test('a pasted cURL command becomes a request with a mapped field within 8 clicks', async () => {
  const { page, newcomer, url } = await openFlows();
  await newcomer.createFlow('Orders');
  await newcomer.press(/Call your API/);
  await newcomer.press('Paste cURL');
  await page.getByLabel('cURL command').waitFor();
  await page.keyboard.insertText(curlOf(url));
  await newcomer.press('Replace request');
  await newcomer.testAndChoose('arrives_in_days');
  await newcomer.press('Create field');
  await page.getByText('→ order_arrives_in_days').waitFor();
  expect(newcomer.counted.clicks).toBeLessThanOrEqual(8);
});

test('the form of an added block begins at its top, however far the last one was scrolled', async () => {
  const { page, newcomer } = await openFlows();
  await newcomer.createFlow('Stock');
  await newcomer.press(/Call your API/);
  await page.getByLabel('On timeout').scrollIntoViewIfNeeded();
  await newcomer.press('Add after');
  await page.getByPlaceholder('Type to filter').waitFor();
  await page.keyboard.type('Send');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Image URL (optional)' }).waitFor();
  expect(await page.evaluate("document.querySelector('.builder-side').scrollTop")).toBe(0);
});

test('a notice stands beside the phone, and covers nothing of it', async () => {
  const { page, newcomer } = await openFlows();
  await newcomer.createFlow('Orders');
  await newcomer.press(/Order status by API/);
  await newcomer.press('Use template');
  const notice = page.getByRole('alert').filter({ hasText: 'is your draft now' });
  await notice.waitFor();
  await newcomer.press('Try it');
  const phone = page.getByRole('complementary');
  for (const size of [
    { width: 1_440, height: 900 },
    { width: 800, height: 900 },
    { width: 360, height: 740 },
  ]) {
    await page.setViewportSize(size);
    await expect
      .poll(async () => {
        const [of, over] = [await phone.boundingBox(), await notice.boundingBox()];
        if (!of || !over) return 'gone';
        const isBeside = over.x + over.width <= of.x || over.y + over.height <= of.y;
        return isBeside && over.x >= 0 && over.y >= 0 ? 'beside' : 'over';
      })
      .toBe('beside');
  }
});

test('the response of a test is in sight as soon as it has come', async () => {
  const { page, newcomer } = await openFlows();
  await page.setViewportSize({ width: 1_280, height: 640 });
  await newcomer.createFlow('Stock');
  await newcomer.press(/Call your API/);
  await newcomer.click(page.getByRole('tab', { name: 'Test', exact: true }));
  await newcomer.press('Send request');
  const value = page.getByRole('tree', { name: 'Values of the response' }).getByText('order', { exact: false }).first();
  await value.waitFor();
  await expect
    .poll(async () => {
      const [panel, seen] = [await page.getByRole('complementary').boundingBox(), await value.boundingBox()];
      return panel && seen ? seen.y > panel.y && seen.y + seen.height < panel.y + panel.height : false;
    })
    .toBe(true);
});

test('a message that starts no flow is said to start none, and typing replaces the first word', async () => {
  const { page, newcomer } = await openFlows();
  await newcomer.createFlow('Orders');
  await newcomer.press(/Order status by API/);
  await newcomer.press('Use template');
  await page.getByText('is your draft now').waitFor();
  await newcomer.publish();
  const talk = await newcomer.talk();
  await page.keyboard.type('shirt');
  await page.keyboard.press('Enter');
  await talk.getByText(/^shirt/).waitFor();
  await talk.getByText('Didn’t start a flow').waitFor();
  expect(await talk.getByText('Waiting for the reply …').count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});
