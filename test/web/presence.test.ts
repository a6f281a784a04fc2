import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { showId } from '../../src/shared/ids.ts';
import type { TestAccount } from '../helpers/api.ts';
import { flowCalls } from '../helpers/flows.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const aFlow = async ({ apiKey: key }: TestAccount): Promise<string> =>
  (await api.request<{ id: string }>('POST', '/v1/flows', { key, body: { name: 'Shirts' } })).body.id;

/** The name and the id of a colleague whose tab the stream tells of. */
const anIdOfAColleague = async ({ accountId }: TestAccount): Promise<string> => {
  const id = await aColleague(api.db, accountId, 'editor');
  const session = await createSession(api.db, id);
  await api.request('PATCH', '/dashboard/api/profile', { session, body: { name: 'Ana Berg' } });
  return showId('user', id);
};

const aColleagueOf = async ({ accountId }: TestAccount): Promise<string> => {
  const session = await createSession(api.db, await aColleague(api.db, accountId, 'editor'));
  await api.request('PATCH', '/dashboard/api/profile', { session, body: { name: 'Ana Berg' } });
  return session;
};

test('a colleague who opens a flow stands beside its title, with the block they edit, until they leave', async () => {
  const account = await api.createAccount();
  const [flow, ana] = [await aFlow(account), await aColleagueOf(account)];
  const own = await web.open(`/flows/${flow}`, { session: account.session });
  const present = own.getByRole('status').filter({ hasText: 'Ana Berg' });
  await own.getByRole('heading', { name: 'Shirts', level: 1 }).waitFor();
  const theirs = await web.open(`/flows/${flow}`, { session: ana });
  await present.filter({ hasText: 'Ana Berg is here' }).waitFor();
  expect(await theirs.getByRole('heading', { name: 'Shirts', level: 1 }).count()).toBe(1);

  const beat = { session: ana, body: { part: 'stock' } };
  expect((await api.request('PUT', `/dashboard/api/presence/${flow}/another-tab`, beat)).status).toBe(204);
  await present.filter({ hasText: 'Ana Berg is editing "stock"' }).waitFor();
  await api.request('DELETE', `/dashboard/api/presence/${flow}/another-tab`, { session: ana });
  await present.filter({ hasText: 'Ana Berg is here' }).waitFor();
  await theirs.getByRole('link', { name: 'Flows' }).first().click();
  await expect.poll(() => present.count()).toBe(0);
});

test('a user sees another tab of their own at the same flow', async () => {
  const account = await api.createAccount();
  const flow = await aFlow(account);
  const first = await web.open(`/flows/${flow}`, { session: account.session });
  await first.getByRole('heading', { name: 'Shirts', level: 1 }).waitFor();
  const second = await first.context().newPage();
  await second.goto(`${api.url}/flows/${flow}`);
  for (const page of [first, second])
    await page.getByRole('status').filter({ hasText: 'You have this open in another tab' }).waitFor();
  await second.close();
  await expect.poll(() => first.getByRole('status').filter({ hasText: 'another tab' }).count()).toBe(0);
});

test('a colleague who turns from a block to the start is no longer said to edit the block', async () => {
  const account = await api.createAccount();
  const ana = await aColleagueOf(account);
  const { id } = await flowCalls(api, account).create();
  const own = await web.open(`/flows/${id}?tab=drawing`, { session: account.session });
  const present = own.getByRole('status').filter({ hasText: 'Ana Berg' });
  const theirs = await web.open(`/flows/${id}?tab=builder`, { session: ana });
  const refused: number[] = [];
  theirs.on('response', (response) => {
    if (response.url().includes('/presence/') && response.status() >= 400) refused.push(response.status());
  });
  const block = theirs.locator('.react-flow__node[data-id^="id:"]').first();
  await block.click();
  await present.filter({ hasText: 'Ana Berg is editing' }).waitFor();
  await theirs.getByRole('button', { name: 'Edit triggers' }).click();
  await present.filter({ hasText: 'Ana Berg is here' }).waitFor();
  expect(refused).toEqual([]);
});

test('a user whose tab is hidden is not shown as present, and is again once they look at it', async () => {
  const account = await api.createAccount();
  const [flow, ana] = [await aFlow(account), await aColleagueOf(account)];
  const own = await web.open(`/flows/${flow}`, { session: account.session });
  const present = own.getByRole('status').filter({ hasText: 'Ana Berg is here' });
  const theirs = await web.open(`/flows/${flow}`, { session: ana });
  await present.waitFor();
  const show = (isHidden: boolean) =>
    theirs.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'));
    `);
  await show(true);
  await expect.poll(() => present.count()).toBe(0);
  await show(false);
  await present.waitFor();
});

test('a colleague who leaves while the stream is cut is no longer shown once it begins again', async () => {
  const account = await api.createAccount();
  const [flow, ana] = [await aFlow(account), await anIdOfAColleague(account)];
  const page = await web.open('/sign-in', { alone: true });
  const greeting = { subject: flow, people: [{ user_id: ana, tab: 'theirs', part: null }] };
  const [shown, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const bodies = [`event: presence\ndata: ${JSON.stringify(greeting)}\n\n`, ''];
  await page.route('**/dashboard/api/stream', async (route) => {
    const body = bodies.shift();
    if (body === undefined) return route.abort();
    await (body === '' ? again.promise : shown.promise);
    return route.fulfill({ contentType: 'text/event-stream', body: `retry: 100\n\n${body}` });
  });
  await page.context().addCookies([{ name: 'parley_session', value: account.session, url: api.url }]);
  await page.goto(`${api.url}/flows/${flow}`);
  await page.getByRole('heading', { name: 'Shirts', level: 1 }).waitFor();
  shown.resolve();
  const present = page.getByRole('status').filter({ hasText: 'Ana Berg is here' });
  await present.waitFor();
  again.resolve();
  await expect.poll(() => present.count()).toBe(0);
  web.complaints(page);
});
