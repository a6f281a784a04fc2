import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { rollUp } from '../../src/shared/statistics/roll-up.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { aDelivery, failAttempts } from '../helpers/deliveries.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { flowCalls } from '../helpers/flows.ts';
import { aDefinition } from '../helpers/definitions.ts';
import { makeDue } from '../helpers/states/deliveries.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { aRefusedCredential } from '../helpers/states/tokens.ts';
import { aPastDelivery, setRolledUpUntil } from '../helpers/states/statistics.ts';
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
  const steps = page.getByRole('listitem').filter({ hasText: /^(to do|done):/ });
  expect((await steps.allTextContents()).map((text) => text.split(': ')[1])).toEqual([
    'Add a webhook and verify your endpoint',
    'Create a channel for incoming messages',
    'Create an API key for your server',
    'Send a message as a contact, from a channel’s page',
    'Receive its signed event',
  ]);
  await page.getByText('Nothing needs attention').waitFor();
  await page.getByText('No first answers').waitFor();
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
  const messages = page.getByRole('link', { name: /^Messages\s*1/ });
  await messages.getByText('1 received, 0 sent').waitFor();
  expect(await messages.getAttribute('href')).toBe('/conversations');
  // Who points at the last bar reads its numbers.
  const deliveries = page.locator('.chart').filter({ hasText: 'Deliveries' });
  const plot = deliveries.locator('.chart-plot');
  const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
  await plot.hover({ position: { x: width - 3, y: height / 2 } });
  await deliveries.getByText('Delivered 2').waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  for (const name of ['Latency, p50', 'Latency, p95', 'Latency, p99'])
    await page.getByRole('columnheader', { name }).waitFor();
  await page.getByRole('table', { name: 'Over time' }).getByRole('cell', { name: '2' }).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByText('7 days', { exact: true }).click();
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
  await page.getByRole('button', { name: 'Show as table' }).click();
  const times = page.getByRole('table', { name: 'Over time' }).locator('time');
  await times.first().waitFor();
  for (const time of await times.all()) expect(await time.getAttribute('datetime')).toContain('T18:30:00');
});

test('a latency without neighbours is a dot on the chart, and neighbours are a line', async () => {
  const { session, accountId } = await api.createAccount();
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/hook' });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  for (const hours of [3, 6, 7])
    await aPastDelivery(api.db, { accountId, webhookId, at: hoursAgo(hours), attempts: [{}] });
  await setRolledUpUntil(api.db, new Date(Math.floor(hoursAgo(8).getTime() / 3_600_000) * 3_600_000));
  await rollUp(api.db);
  const page = await web.open('/', { session });
  const marks = page.locator('.chart').filter({ hasText: 'Latency of attempts' }).locator('g[data-hue] path');
  await marks.first().waitFor({ state: 'attached' });
  const drawn = await Promise.all(
    (await marks.all()).map(async (mark) => {
      const path = (await mark.getAttribute('d')) ?? '';
      const width = /stroke-width: (\d+)/.exec((await mark.getAttribute('style')) ?? '')?.[1];
      return { begins: path.split('M').length - 1, goesOn: path.split('L').length - 1, isWide: Number(width) >= 8 };
    }),
  );
  const [line, dot] = [
    { begins: 1, goesOn: 1, isWide: false },
    { begins: 1, goesOn: 0, isWide: true },
  ];
  expect(drawn).toEqual([line, dot, line, dot, line, dot]);
});

test('what needs attention leads to where it is mended', async () => {
  const { session, accountId } = await api.createAccount();
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/<b>failing' });
  await disableWebhook(api.db, webhookId);
  const page = await web.open('/', { session, colorScheme: 'dark' });
  const matter = page.getByRole('link', { name: 'Disabled webhook: https://a.example/<b>failing' });
  expect(await matter.getAttribute('href')).toMatch(/^\/settings\/webhooks\/wh_/);
  expect(await findBarriers(page)).toEqual([]);
});

test('a disabled webhook is re-enabled where it needs attention, once its endpoint is healthy', async () => {
  const { session, accountId } = await api.createAccount();
  const receiver = await startReceiver({ respond: 500 });
  const webhookId = await insertWebhook(api.deps, { accountId, url: receiver.url('/hook') });
  await disableWebhook(api.db, webhookId);
  const page = await web.open('/', { session });
  const reEnable = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Re-enable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Re-enable' }).click();
  };
  await reEnable();
  await page.getByText('The endpoint is not healthy').waitFor();
  await page.getByRole('link', { name: /Disabled webhook/ }).waitFor();
  receiver.respondWith(200);
  await reEnable();
  await page.getByText('The webhook is active').waitFor();
  await page.getByRole('link', { name: /Disabled webhook/ }).waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Re-enable' }).count()).toBe(0);
  await receiver.close();
});

test('a contact who waits for an agent is taken where it needs attention', async () => {
  const { session, apiKey: key, userId } = await api.createAccount();
  const post = async <Body>(path: string, body: object) =>
    (await api.request<Body>('POST', `/v1${path}`, { key, body })).body;
  const { id: contactId } = await post<{ id: string }>('/contacts', { first_name: 'Ada', last_name: 'Lovelace' });
  const { id } = await post<{ id: string }>('/handovers', { contact_id: contactId, reason: 'Help' });
  const page = await web.open('/', { session });
  await page.getByRole('link', { name: 'Ada Lovelace is waiting for an agent' }).waitFor();
  await page.getByRole('button', { name: 'Take' }).click();
  await page.getByRole('link', { name: 'Ada Lovelace is waiting for an agent' }).waitFor({ state: 'detached' });
  const { body } = await api.request<{ assigned_to: string }>('GET', `/v1/handovers/${id}`, { key });
  expect(body.assigned_to).toBe(showId('user', userId));
});

test('what is graver stands first among what needs attention', async () => {
  const { session, accountId } = await api.createAccount();
  const failing = await insertWebhook(api.deps, { accountId, url: 'https://a.example/failing' });
  const retried = await aDelivery(api.db, { accountId, webhookId: failing, status: 'pending' });
  await failAttempts(api.db, retried, { times: 2 });
  const disabled = await insertWebhook(api.deps, { accountId, url: 'https://a.example/disabled' });
  await disableWebhook(api.db, disabled);
  const page = await web.open('/', { session });
  const matters = page.locator('.matters').getByRole('listitem');
  await expect
    .poll(() => matters.locator('.status').allTextContents())
    .toEqual(expect.arrayContaining(['Urgent', 'Warning']));
  const told = await matters.allTextContents();
  expect(told[0]).toContain('Disabled webhook: https://a.example/disabled');
  expect(told[1]).toContain('Failing webhook: https://a.example/failing');
});

test('a credential to reconnect needs attention, and leads to the credentials', async () => {
  const { session, accountId } = await api.createAccount();
  await aRefusedCredential(api.deps, accountId, 'shop');
  const page = await web.open('/', { session });
  const link = page.getByRole('link', { name: 'Reconnect the credential “shop”' });
  expect(await link.getAttribute('href')).toBe('/settings/credentials');
});

test('an agent begins in the inbox, and has no overview', async () => {
  const { session, userId } = await api.createAccount();
  await setRole(api.db, userId, 'agent');
  const page = await web.open('/', { session });
  await page.waitForURL('**/inbox');
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).count()).toBe(0);
});

test('an agent reads in the log which webhook a delivery is for, without links to pages of editors', async () => {
  const { session, accountId, userId } = await api.createAccount();
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/failing' });
  const deliveryId = await aDelivery(api.db, { accountId, webhookId, status: 'failed' });
  await setRole(api.db, userId, 'agent');
  const page = await web.open(`/settings/logs/delivery/${showId('delivery', deliveryId)}`, { session });
  await page.getByText('a.example/failing').waitFor();
  expect(await page.getByRole('main').getByRole('link', { name: 'a.example/failing' }).count()).toBe(0);
  await page.goto(`${api.url}/settings/logs/delivery?status=all`);
  await page.getByRole('cell', { name: 'a.example/failing' }).waitFor();
  expect(await page.getByRole('main').getByRole('link', { name: 'a.example/failing' }).count()).toBe(0);
  await page.goto(`${api.url}/settings/logs/delivery?status=all&event=new_contact`);
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor();
  expect(await page.getByRole('link', { name: 'Open webhooks' }).count()).toBe(0);
});

test('a failing flow and what is overdue need attention, and lead to where they are mended', async () => {
  const account = await api.createAccount();
  const { session, accountId } = account;
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/hook' });
  const lateId = await aDelivery(api.db, { accountId, webhookId, status: 'retrying' });
  await makeDue(api.db, lateId, { inMs: -120_000, lookInMs: 3_600_000 });
  const { call, createLive } = flowCalls(api, account);
  const ask = { id: 'ask', type: 'ask', prompt: 'Well?', timeout: 'PT1H', next: { invalid: null, timeout: null } };
  const flow = await createLive(aDefinition([ask]), 'Sizes');
  // Nobody has written as this contact, so that there is no channel to ask on.
  const contact = await call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' });
  await call('POST', `/contacts/${contact.body.id}/flows`, { flow_id: flow.id });
  const page = await web.open('/', { session });
  const failing = page.getByRole('link', { name: 'One run of “Sizes” failed in the last 24 hours' });
  expect(await failing.getAttribute('href')).toBe(`/flows/${flow.id}`);
  const overdue = page.getByRole('listitem').filter({ hasText: 'One delivery is overdue' });
  expect(await overdue.getByRole('link').getAttribute('href')).toBe('/settings/logs/delivery?status=pending,retrying');
  expect(await overdue.textContent()).toMatch(/overdue\s*2 minutes ago$/);
});
