import { expect, test } from 'vitest';
import { createSignInLink } from '../../src/shared/users/sign-in-links.ts';
import { useMails } from '../helpers/mails.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();
const mails = await useMails(api);

test('a forgotten password: one answer for everybody, the link of the mail sets a new one, once, and is out of the address', async () => {
  const account = await api.createAccount();
  const asking = await web.open('/sign-in');
  await asking.getByRole('link', { name: 'Forgot your password?' }).click();
  const ask = async (email: string): Promise<string> => {
    await asking.getByLabel('E-mail').fill(email);
    await asking.getByRole('button', { name: 'Send link' }).click();
    const answer = await asking.getByRole('status').textContent();
    return (answer ?? '').replaceAll(email, '…');
  };
  await asking.getByRole('heading', { name: 'Forgot password' }).waitFor();
  expect(await findBarriers(asking)).toEqual([]);
  const toNobody = await ask('nobody@example.com');
  await asking.getByRole('button', { name: 'Use another address' }).click();
  expect(await ask(account.email)).toBe(toNobody);
  expect(toNobody).not.toMatch(/npm|DATA_DIR|SMTP/);
  expect(await findBarriers(asking)).toEqual([]);
  const [mail] = await mails.deliver();

  const page = await web.open(`${new URL(mail?.link ?? '').pathname}#${mail?.token}`, { session: account.session });
  const password = page.getByRole('textbox', { name: 'New password' });
  await password.fill('short');
  expect(page.url()).toBe(`${api.url}/reset-password`);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('must have at least 8 characters').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await password.fill('a new password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your new password is set.').waitFor();
  // The same link again in the same tab is another opening, and not the answer to the first.
  await page.evaluate(`location.hash = '#${mail?.token}'`);
  await password.waitFor();
  expect(await page.getByText('Your new password is set.').count()).toBe(0);
  await page.goto(`${api.url}/sign-in`);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('a new password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  const again = await web.open(`/reset-password#${mail?.token}`);
  await again.getByRole('textbox', { name: 'New password' }).fill('another password');
  await again.getByRole('button', { name: 'Set password' }).click();
  await again.getByText('This link no longer works').waitFor();
  expect(await findBarriers(again)).toEqual([]);
  await again.getByRole('link', { name: 'Request a new link' }).click();
  await again.getByRole('heading', { name: 'Forgot password' }).waitFor();
});

test('an invitation is accepted with a password, once, and signs in as who was invited', async () => {
  const account = await api.createAccount();
  const body = { email: 'grace@example.com', role: 'agent' };
  await api.request('POST', '/dashboard/api/users', { session: account.session, body });
  const token = await mails.deliverToken();

  const page = await web.open(`/invitation#${token}`, { session: account.session, colorScheme: 'dark' });
  await page.getByText(`You are signed in as ${account.email}.`).waitFor();
  await page.getByText('You will sign in with it and grace@example.com.').waitFor();
  expect(page.url()).toBe(`${api.url}/invitation`);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByRole('textbox', { name: 'New password' }).fill('a password of mine');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.getByRole('button', { name: 'You: Grace Hopper' }).waitFor();

  const again = await web.open(`/invitation#${token}`);
  await again.getByText('This invitation no longer works').waitFor();
});

test.for(['/reset-password', '/invitation'])('%s without a token says that a mail has it', async (path) => {
  const page = await web.open(path);
  await page.getByText('Open the link in the e-mail').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('the link that the first start prints signs in, once, and leaves a session that is there as it is', async () => {
  const account = await api.createAccount();
  const aLink = async (): Promise<string> => {
    const link = await createSignInLink(api.db, { userId: account.userId, baseUrl: '' });
    if (link === undefined) throw new Error('the user is gone');
    return link;
  };
  const link = await aLink();
  const page = await web.open(link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(page.url()).toBe(`${api.url}/`);
  await page.getByRole('button', { name: `You: ${account.email}` }).waitFor();

  const again = await web.open(link);
  await again.getByText('This link no longer works').waitFor();
  expect(await again.getByText(/npm run|parley --/).count()).toBe(0);
  expect(again.url()).toBe(`${api.url}/sign-in`);
  expect(await findBarriers(again)).toEqual([]);
  await again.getByLabel('E-mail').fill(account.email);
  await again.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByRole('heading', { name: 'Overview' }).waitFor();

  const other = await api.createAccount();
  const unused = await aLink();
  const signedIn = await web.open(unused, { session: other.session });
  await signedIn.getByRole('button', { name: `You: ${other.email}` }).waitFor();
  const later = await web.open(unused);
  await later.getByRole('heading', { name: 'Overview' }).waitFor();
});
