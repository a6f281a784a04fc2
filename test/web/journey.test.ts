import { expect, test } from 'vitest';
import { insertWebhook } from '../helpers/accounts.ts';
import { startReceiver, verifySignature, type Script } from '../helpers/receiver.ts';
import { disableWebhook } from '../helpers/states/webhooks.ts';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb();

/** An endpoint that consents to its challenge, and answers events with this status. */
const consenting =
  (status: number): Script =>
  ({ rawBody }) =>
    rawBody.includes('"challenge"') ? { type: 'respond', body: rawBody } : status;

test('by pages alone: from signing in to a signed event at an endpoint, a failure that is explained, and its delivery after all', async () => {
  const { email, password, session } = await live.api.createAccount();
  const receiver = await startReceiver({ respond: consenting(200) });
  const events = () => receiver.requests.filter(({ rawBody }) => rawBody.includes('new_message'));

  const page = await web.open('/');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const navigation = page.getByRole('navigation');

  await navigation.getByRole('link', { name: 'API keys', exact: true }).click();
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Journey');
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  const ask = async () => (await live.api.request('GET', '/v1/webhooks', { key })).status;
  expect(await ask()).toBe(200);

  await navigation.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'Add webhook' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add webhook' });
  await adding.getByLabel('URL').fill(receiver.url('/hook'));
  await adding.getByRole('button', { name: 'Save and verify' }).click();
  await adding.getByText('Endpoint verified.').waitFor();
  await adding.getByRole('button', { name: 'Done' }).click();

  await navigation.getByRole('link', { name: 'Settings' }).click();
  await navigation.getByRole('link', { name: 'Channels' }).click();
  await page.getByRole('button', { name: 'Create channel' }).first().click();
  await page.getByRole('radio', { name: 'Your server (API)' }).check();
  await page.getByRole('dialog').getByLabel('Name').fill('Shop chat');
  await page.getByRole('dialog').getByRole('button', { name: 'Create channel' }).click();
  await page.getByRole('heading', { name: 'Shop chat', level: 1 }).waitFor();
  const write = async (text: string): Promise<void> => {
    await page.getByLabel('Text').fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Message received').first().waitFor();
  };
  await page.getByLabel('Sender ID').fill('ada');
  await write('Hello');
  await expect.poll(() => events().length, { timeout: 20_000 }).toBe(1);
  const [arrived] = events();
  const { body } = await live.api.request<{ secret: string }>('GET', '/dashboard/api/webhook-secret', { session });
  expect(arrived && verifySignature(arrived.rawBody, body.secret, arrived.headers['x-service-signature'])).toBe(true);

  receiver.respondWith(consenting(500));
  await write('Is anybody there?');
  await expect.poll(() => events().length, { timeout: 20_000 }).toBe(2);
  await navigation.getByRole('link', { name: 'Delivery log' }).click();
  const row = page.getByRole('row', { name: /Retrying/ }).filter({ hasText: 'new_message' });
  await row.getByRole('link', { name: 'new_message' }).click();
  await page.getByText('The endpoint responded 500.').waitFor();

  receiver.respondWith(consenting(200));
  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.getByText('Extra attempt 1').waitFor();
  await page.getByText('Delivered', { exact: true }).waitFor();
  expect(events().at(-1)?.rawBody).toEqual(events().at(-2)?.rawBody);

  await navigation.getByRole('link', { name: 'API keys', exact: true }).click();
  await page
    .getByRole('row', { name: /Journey/ })
    .getByRole('button', { name: /Revoke/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('row', { name: /Journey/ })
    .getByText('Revoked')
    .waitFor();
  expect(await ask()).toBe(401);
  await receiver.close();
});

test('the log shows what happens meanwhile, without being loaded again', async () => {
  const account = await live.api.createAccount();
  const page = await web.open('/settings/logs/delivery?status=all', { session: account.session });
  await page.getByRole('heading', { name: 'Delivery log' }).waitFor();
  const receiver = await startReceiver({ respond: 200 });
  const post = (path: string, body: object) =>
    live.api.request<{ id: string }>('POST', path, { key: account.apiKey, body });
  await post('/v1/webhooks', { url: receiver.url('/hook'), events: ['new_contact'], secret: 'a long enough secret' });
  await post('/v1/contacts', { first_name: 'Ada' });
  await page
    .getByRole('row', { name: /new_contact/ })
    .getByText('Delivered')
    .waitFor();
  expect(receiver.requests).toHaveLength(1);
  await receiver.close();
});

test('one chain, whose webhook is disabled by a helper, as six failures take a quarter of an hour: re-enabled by its page when its endpoint is healthy, all that was parked replayed, and the key revoked', async () => {
  const account = await live.api.createAccount();
  const { session, apiKey: key, accountId } = account;
  const receiver = await startReceiver({ respond: 500 });
  const webhookId = await insertWebhook(live.api.deps, { accountId, url: receiver.url('/hook') });
  await disableWebhook(live.api.db, webhookId);
  await live.api.request('POST', '/v1/contacts', { key, body: { first_name: 'Ada' } });
  await live.api.request('POST', '/v1/contacts', { key, body: { first_name: 'Grace' } });

  const page = await web.open('/settings/webhooks', { session });
  await page
    .getByRole('row', { name: /Disabled/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByText('2 parked, 0 failed and 0 dropped.').waitFor();
  await page.getByRole('button', { name: 'Re-enable' }).click();
  await page.getByText('Endpoint not healthy. The webhook stays disabled.').waitFor();
  await page.getByText('The endpoint responded 500 instead of 200.').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  receiver.respondWith(200);
  await page.getByRole('button', { name: 'Re-enable' }).click();
  await page.getByText('Endpoint healthy. The webhook is active.').waitFor();
  await page.getByRole('heading', { name: 'Re-enabled' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'Show progress' }).click();
  await page.waitForURL('**/settings/logs/replays/*');
  await page.getByText('Sent again').waitFor();
  // No delivery to it has ever succeeded.
  expect(await page.getByRole('main').textContent()).not.toContain('1970');
  const delivered = async () => {
    const path = '/v1/deliveries?status=delivered';
    return (await live.api.request<{ data: unknown[] }>('GET', path, { key })).body.data.length;
  };
  await expect.poll(delivered, { timeout: 30_000 }).toBe(2);
  await page.getByRole('navigation').getByRole('link', { name: 'API keys', exact: true }).click();
  await page
    .getByRole('table', { name: 'API keys' })
    .getByRole('button', { name: /Revoke/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('table', { name: 'API keys' }).getByText('Revoked').waitFor();
  expect((await live.api.request('GET', '/v1/webhooks', { key })).status).toBe(401);
  await receiver.close();
});
