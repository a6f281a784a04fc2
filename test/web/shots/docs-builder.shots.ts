import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useLiveWeb } from '../helpers/live-web.ts';
import { createNewcomer, curlOf } from '../helpers/newcomer.ts';
import { followLoading } from '../helpers/settled.ts';
import { mostBytes, take } from './take.ts';

/** The pictures of docs/builder.md, of flows that are built as a newcomer builds them. */
const { live, web } = await useLiveWeb({ testEndpoint: true });

const openFlows = async () => {
  const { session } = await live.api.createAccount();
  await live.api.request('PATCH', '/dashboard/api/account', { session, body: { name: 'Shirts & Co' } });
  await live.api.request('PATCH', '/dashboard/api/profile', { session, body: { name: 'Grace Hopper' } });
  const page = await web.open('/sign-in', { session, viewport: { width: 1440, height: 900 } });
  const { settled } = followLoading(page);
  await page.goto(`${live.api.url}/flows`);
  const { body } = await live.api.request<{ url: string }>('GET', '/dashboard/api/test-endpoint', { session });
  const shoot = async (name: string): Promise<number> => {
    await withoutNotices(page);
    await settled();
    return take(page, name);
  };
  return { page, newcomer: createNewcomer(page), url: body.url, shoot };
};

/** Notices lie over what a picture is to show. */
const withoutNotices = async (page: Page): Promise<void> => {
  const notices = page.locator('.mantine-Notification-closeButton');
  while ((await notices.count()) > 0) {
    const before = await notices.count();
    await notices.first().click();
    await expect.poll(() => notices.count()).toBeLessThan(before);
  }
};

test('builder-empty, builder-phone and builder-talk', async () => {
  const { page, newcomer, shoot } = await openFlows();
  await newcomer.createFlow('Order status');
  expect(await shoot('builder-empty')).toBeLessThan(mostBytes);
  await newcomer.press(/Order status by API/);
  await newcomer.press('Use template');
  await page.getByText('is your draft now').waitFor();
  await newcomer.press('Try it');
  await newcomer.click(page.getByPlaceholder('Write as the contact'));
  await page.keyboard.type('1042');
  await page.keyboard.press('Enter');
  await newcomer.press('Use success');
  await page.getByText('Your order 1042 is shipped.').waitFor();
  await newcomer.press('Fit to screen');
  await page.mouse.move(0, 0);
  expect(await shoot('builder-phone')).toBeLessThan(mostBytes);
  await newcomer.publish();
  const talk = await newcomer.talk();
  await page.keyboard.press('Enter');
  await talk.getByText('What is your order number?').waitFor();
  await page.keyboard.type('1042');
  await page.keyboard.press('Enter');
  await talk.getByText('Your order 1042 is shipped.').waitFor();
  expect(await shoot('builder-talk')).toBeLessThan(mostBytes);
});

test('builder-map and builder-palette', async () => {
  const { page, newcomer, shoot } = await openFlows();
  await newcomer.createFlow('Stock');
  await newcomer.press(/When a contact writes …/);
  await newcomer.press(/Call your API/);
  await newcomer.testAndChoose('status');
  await newcomer.press('Create field');
  await page.getByText('→ order_status').waitFor();
  await page.mouse.move(0, 0);
  expect(await shoot('builder-map')).toBeLessThan(mostBytes);
  await newcomer.press('Add after');
  await page.getByPlaceholder('Type to filter').waitFor();
  expect(await shoot('builder-palette')).toBeLessThan(mostBytes);
});

test('builder-curl', async () => {
  const { page, newcomer, url, shoot } = await openFlows();
  await newcomer.createFlow('Orders');
  await newcomer.press(/Call your API/);
  await newcomer.press('Paste cURL');
  await page.getByLabel('cURL command').waitFor();
  await page.keyboard.insertText(curlOf(url));
  await page.getByRole('button', { name: 'Replace request' }).waitFor();
  expect(await shoot('builder-curl')).toBeLessThan(mostBytes);
});
