import { expect, test } from 'vitest';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

test('who is not signed in is led to sign in, and then to where they were going', async () => {
  const { email, password } = await api.createAccount();
  const page = await web.open('/settings/api?a=1');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('not it, surely');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('Wrong e-mail or password.').waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(page.url()).toBe(`${api.url}/settings/api?a=1`);
});

test.for(['//evil.example/x', '/.//evil.example/x', '/x/..//evil.example', '/.\\/evil.example', '/\t/evil.example/x'])(
  'after signing in, next=%s leads nowhere else',
  async (next) => {
    const { session } = await api.createAccount();
    const page = await web.open(`/sign-in?next=${encodeURIComponent(next)}`, { session });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).origin).toBe(api.url);
  },
);

test('signing out ends the session, and shows nothing of before to who comes next', async () => {
  const [first, next] = [await api.createAccount(), await api.createAccount()];
  for (const [{ apiKey: key }, first_name] of [
    [first, 'Ada'],
    [next, 'Grace'],
  ] as const)
    await api.request('POST', '/v1/contacts', { key, body: { first_name } });
  const page = await web.open('/contacts', { session: first.session });
  await page.getByRole('rowheader', { name: 'Ada' }).waitFor();
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('button', { name: `You: ${first.email}` }).waitFor();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect((await api.request('GET', '/dashboard/api/session', first)).status).toBe(401);

  await page.getByLabel('E-mail').fill(next.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(next.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // While its answer is on the way, the list has what was kept of it.
  const { promise: isToCome, resolve: letCome } = Promise.withResolvers<void>();
  const asked = page.waitForRequest('**/dashboard/api/contacts*');
  await page.route('**/dashboard/api/contacts*', async (route) => {
    await isToCome;
    await route.continue();
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
  await asked;
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  expect(await page.getByText('Ada').count()).toBe(0);
  letCome();
  await page.getByRole('rowheader', { name: 'Grace' }).waitFor();
});

test('a page of settings is refused in words to an agent, who does not see it in the navigation', async () => {
  const { session, userId } = await api.createAccount();
  await setRole(api.db, userId, 'agent');
  const page = await web.open('/settings/api', { session });
  await page.getByRole('heading', { name: 'You need the Owner role for this page' }).waitFor();
  expect(await page.getByRole('navigation').getByRole('link', { name: 'API' }).count()).toBe(0);
});

test('a path without a page says so', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/nowhere/at/all', { session });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await page.getByRole('link', { name: 'Back to overview' }).getAttribute('href')).toBe('/');
});

test('who is signed out meanwhile is told so, and signs in again', async () => {
  const { session, email, password } = await api.createAccount();
  const page = await web.open('/contacts', { session });
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await api.request('DELETE', '/dashboard/api/session', { session });
  // The page may have asked something, and noticed, by itself.
  await page.evaluate('document.querySelector("nav a[href=\'/settings/tags\']")?.click()');
  await page.getByRole('status').getByText('Your session has ended. Sign in again.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: /^(Tags|Contacts)$/, level: 1 }).waitFor();
});

test('signing out of a session that has ended is done, and no failure', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'You' }).click();
  const signOut = page.getByRole('menuitem', { name: 'Sign out' });
  await signOut.waitFor();
  await api.request('DELETE', '/dashboard/api/session', { session });
  await signOut.click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByText('Your session has ended').count()).toBe(0);
});

test('a stranger meets no refused request on the way to sign in', async () => {
  const page = await web.open('/sign-in');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url());
  });
  for (const path of ['/', '/contacts', '/sign-in']) {
    await page.goto(`${api.url}${path}`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  expect(refused).toEqual([]);
});
