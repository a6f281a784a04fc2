import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { pathsOf } from '../../src/web/live/topics.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

/** Requests that are held until the test lets the next one go on. */
const createGate = () => {
  const held: Route[] = [];
  const waiting: ((route: Route) => void)[] = [];
  return {
    hold: (route: Route): void => {
      const next = waiting.shift();
      if (next) next(route);
      else held.push(route);
    },
    next: async (): Promise<Route> =>
      held.shift() ??
      new Promise((resolve) => {
        waiting.push(resolve);
      }),
  };
};

test('what changes before the stream begins, or while it is cut, is shown soon after it begins', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const createTag = (name: string) => api.request('POST', '/v1/tags', { key, body: { name } });
  const page = await web.open('/sign-in');
  const streams = createGate();
  await page.route('**/dashboard/api/stream', streams.hold);
  await page.context().addCookies([{ name: 'parley_session', value: session, url: api.url }]);
  await page.goto(`${api.url}/settings/tags`);
  await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
  const first = await streams.next();
  await createTag('before-it');
  // It ends at once, and the browser asks for it again.
  await first.fulfill({ contentType: 'text/event-stream', body: 'retry: 100\n\n' });
  await page.getByRole('rowheader', { name: 'before-it', exact: true }).waitFor();

  const again = await streams.next();
  await createTag('while-cut');
  await again.fulfill({ contentType: 'text/event-stream', body: 'retry: 100\n\n' });
  const told = page.getByRole('rowheader', { name: 'while-cut', exact: true });
  await expect.poll(() => told.count()).toBe(1);
});

test('a hint takes away no page of a list that is being loaded, and what it told of is shown after that', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const createContact = (first_name: string) => api.request('POST', '/v1/contacts', { key, body: { first_name } });
  for (let made = 0; made < 52; made += 1) await createContact(`Guest ${made}`);
  const page = await web.open('/contacts', { session });
  const rows = page.getByRole('table', { name: 'Contacts' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(50);
  const pages = createGate();
  await page.route(/\/dashboard\/api\/contacts\?.*cursor=/, pages.hold);
  await page.getByRole('button', { name: 'Load more' }).click();
  const next = await pages.next();
  // The page asks for its tags again by the same hints as for its contacts.
  const hinted = page.waitForResponse('**/dashboard/api/tags*');
  await createContact('Latecomer');
  await api.request('POST', '/v1/tags', { key, body: { name: 'vip' } });
  await hinted;
  await next.continue();
  await expect.poll(() => rows.count()).toBeGreaterThan(50);
  await page.unroute(/\/dashboard\/api\/contacts\?.*cursor=/);
  await page.getByRole('link', { name: 'Latecomer' }).waitFor();
  await expect.poll(() => rows.count()).toBe(53);
});

test('the overview, which counts much, is asked for again ten seconds later, however much happens', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const page = await web.open('/nowhere', { session });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  const askedMs: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/dashboard/api/overview')) askedMs.push(Date.now());
  });
  await page.getByRole('link', { name: 'Back to overview' }).click();
  await expect
    .poll(async () => {
      await api.request('POST', '/v1/contacts', { key, body: { first_name: 'Ada' } });
      return askedMs.length;
    })
    .toBeGreaterThan(1);
  const [first = 0, second = 0] = askedMs;
  expect(second - first).toBeGreaterThanOrEqual(9_900);
});

test('runs ask again for what is counted of a flow, and not for its draft', () => {
  const paths = pathsOf('runs');
  expect(paths).toEqual(expect.arrayContaining(['/flows/{id}/counts', '/flows/{id}/stats', '/overview']));
  expect(paths).not.toContain('/flows');
});
