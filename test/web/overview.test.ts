import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { insertWebhook } from '../helpers/accounts.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { disableWebhook } from '../helpers/states/webhooks.ts';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

test('a new account sees its first steps, one after the other done, until an event has been delivered', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const page = await web.open('/', { session });
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  expect(await page.getByText('to do:').count()).toBe(4);
  await page.getByText('Nothing needs attention').waitFor();
  await page.getByText('Nothing has happened in this time').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  const receiver = await startReceiver({ respond: 200 });
  const post = async (path: string, body: object) =>
    (await api.request<{ id: string }>('POST', path, { key, body })).body;
  await post('/v1/webhooks', { url: receiver.url('/hook'), events: ['*'], secret: 'a long enough secret' });
  const channel = await post('/v1/channels', { type: 'api', name: 'Shop chat' });
  await post(`/v1/channels/${channel.id}/inbound`, {
    message_id: 'm-1',
    sender: { external_id: 'ada', first_name: 'Ada' },
    text: 'Hello',
  });
  await receiver.waitFor(2);
  await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
  await page.getByText('Events and deliveries').waitFor();
  // The point of this hour is the last one, and is drawn whole.
  const chart = page.locator('svg.recharts-surface').filter({ has: page.locator('.recharts-line-dot') });
  const rightOf = async (part: Locator) => {
    const { x, width } = (await part.boundingBox()) ?? { x: Number.NaN, width: 0 };
    return x + width;
  };
  expect(await rightOf(chart.locator('.recharts-line-dot').last())).toBeLessThanOrEqual(await rightOf(chart));
  await page.getByRole('button', { name: 'As a table' }).click();
  await page.getByRole('table', { name: 'Over time' }).getByRole('cell', { name: '2' }).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByText('A week', { exact: true }).click();
  await page.waitForURL('**/?range=week');
  await receiver.close();
});

test('days of the statistics begin at midnight in the zone of the browser', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const channel = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  await api.request('POST', `/v1/channels/${channel.body.id}/inbound`, { key, body: anInboundMessage() });
  // It has no other time in summer.
  const page = await web.open('/?range=week', { session, timezoneId: 'Asia/Kolkata' });
  await page.getByRole('button', { name: 'As a table' }).click();
  const times = page.getByRole('table', { name: 'Over time' }).locator('time');
  await times.first().waitFor();
  for (const time of await times.all()) expect(await time.getAttribute('datetime')).toContain('T18:30:00');
});

test('what needs attention leads to where it is mended', async () => {
  const { session, accountId } = await api.createAccount();
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/<b>failing' });
  await disableWebhook(api.db, webhookId);
  const page = await web.open('/', { session, colorScheme: 'dark' });
  const matter = page.getByRole('link', { name: 'A webhook is disabled: https://a.example/<b>failing' });
  expect(await matter.getAttribute('href')).toMatch(/^\/settings\/webhooks\/wh_/);
  expect(await findBarriers(page)).toEqual([]);
});
