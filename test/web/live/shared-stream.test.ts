import { expect, onTestFinished, test } from 'vitest';
import type { Page } from 'playwright-core';
import { anInboundMessage } from '../../helpers/builders.ts';
import type { TestAccount } from '../../helpers/api.ts';
import { useWeb } from '../helpers/web.ts';

const { api, web } = await useWeb();

/** Another page of the same browser. */
const another = async (page: Page, path: string): Promise<Page> => {
  const other = await page.context().newPage();
  onTestFinished(() => other.close());
  await other.goto(`${api.url}${path}`);
  return other;
};

const createTag = ({ apiKey: key }: TestAccount, name: string) =>
  api.request('POST', '/v1/tags', { key, body: { name } });

const tagOn = (page: Page, name: string) => page.getByRole('rowheader', { name, exact: true });

test('the pages of a browser share one stream, and another page has it when the first one is closed', async () => {
  const account = await api.createAccount();
  const streams: Page[] = [];
  const first = await web.open('/settings/tags', account);
  first.context().on('request', (request) => {
    if (request.url().endsWith('/dashboard/api/stream')) streams.push(request.frame().page());
  });
  await first.getByRole('heading', { name: 'No tags yet' }).waitFor();
  const second = await another(first, '/settings/tags');
  await second.getByRole('heading', { name: 'No tags yet' }).waitFor();
  await createTag(account, 'one');
  await Promise.all([tagOn(first, 'one').waitFor(), tagOn(second, 'one').waitFor()]);
  expect(streams.filter((page) => page === second)).toEqual([]);
  await first.close();
  await expect.poll(() => streams.filter((page) => page === second).length, { timeout: 20_000 }).toBe(1);
  await createTag(account, 'two');
  await tagOn(second, 'two').waitFor();
});

test('a thread shows what is said by its changes, and asks for its list once', async () => {
  const account = await api.createAccount();
  const { apiKey: key } = account;
  const channel = { type: 'api', name: 'Shop' };
  const { body } = await api.request<{ id: string }>('POST', '/v1/channels', { key, body: channel });
  const say = async (text: string): Promise<string> => {
    const message = anInboundMessage({ sender: { external_id: 'ada', first_name: 'Ada' }, text });
    const path = `/v1/channels/${body.id}/inbound`;
    const said = await api.request<{ message: { id: string } }>('POST', path, { key, body: message });
    return said.body.message.id;
  };
  const messageId = await say('The first word');
  const { body: message } = await api.request<{ conversation_id: string }>('GET', `/v1/messages/${messageId}`, { key });
  const page = await web.open('/nowhere', account);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await page.goto(`${api.url}/inbox/${message.conversation_id}`);
  const log = page.getByRole('log');
  await log.getByText('The first word').waitFor();
  for (const text of ['A second word', 'A third word']) {
    await say(text);
    await log.getByText(text).waitFor();
  }
  await page.context().setOffline(true);
  await say('Said while offline');
  await page.context().setOffline(false);
  await log.getByText('Said while offline').waitFor();
  expect(await log.locator('.talk').count()).toBe(4);
  expect(asked.filter((path) => path.endsWith('/messages'))).toHaveLength(1);
  expect(asked.filter((path) => path.endsWith('/changes')).length).toBeGreaterThan(1);
  // What was asked while there was no network fails.
  expect(web.complaints(page).filter((line) => !line.endsWith('net::ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

test.for([
  ['ahead', 10],
  ['back', -10],
] as const)('a page that is shown after its clock has moved %s opens the stream anew', async ([, minutes]) => {
  const page = await web.open('/sign-in', { alone: true });
  await page.clock.install();
  const { session, apiKey: key } = await api.createAccount();
  await page.context().addCookies([{ name: 'parley_session', value: session, url: api.url }]);
  let streams = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/dashboard/api/stream')) streams += 1;
  });
  await page.goto(`${api.url}/settings/tags`);
  await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
  await api.request('POST', '/v1/tags', { key, body: { name: 'one' } });
  // The stream has told of it.
  await tagOn(page, 'one').waitFor();
  expect(streams).toBe(1);
  // What a sleep leaves behind: the time of the machine is another, and no timer has run.
  await page.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + minutes * 60_000);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await expect.poll(() => streams).toBe(2);
});
