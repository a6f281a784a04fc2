import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { anInboxAccount, log, said } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const ada = { external_id: 'ada', first_name: 'Ada' };

/** An open conversation, and what ends or begins the way of replies to the server. */
const anOpenOne = async () => {
  const account = await anInboxAccount(api);
  const { session, write, call } = account;
  const { conversation_id: id } = await write(ada, 'Hello?');
  const page = await web.open(`/inbox/${id}`, { session, alone: true });
  const stored = async () =>
    (await call<{ data: { text: string }[] }>('GET', `/conversations/${id}/messages`)).data.map(({ text }) => text);
  const reply = async (text: string) => {
    await page.getByRole('textbox', { name: 'Reply to Ada' }).fill(text);
    await page.getByRole('button', { name: 'Send reply' }).click();
  };
  const endSession = () => api.request('DELETE', '/dashboard/api/session', { session });
  const signIn = async ({ email, password }: { email: string; password: string }) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' });
  };
  return { page, stored, reply, account, endSession, signIn };
};

/** Answers each reply as a service that starts again does. */
const refuseReplies = (page: Page) =>
  page.route(replies, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  );

const replies = /conversations.[^/]+.messages$/;

test('replies that were under way at a reload are sent in their order, each of them once', async () => {
  const { page, stored, reply } = await anOpenOne();
  let lost = 0;
  // The first one arrives, and its answer is lost.
  await page.route(replies, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    lost += 1;
    if (lost === 1) await route.fetch();
    return route.abort();
  });
  await reply('One moment');
  await reply('It is on its way');
  await log(page).getByText('It is on its way').waitFor();
  await expect.poll(stored).toContain('One moment');
  await page.unroute(replies);
  await page.reload();
  await expect.poll(stored).toEqual(['It is on its way', 'One moment', 'Hello?']);
  await expect.poll(() => said(page)).toEqual(['Hello?', 'One moment', 'It is on its way']);
  await page.reload();
  await expect.poll(() => said(page)).toEqual(['Hello?', 'One moment', 'It is on its way']);
  expect(await stored()).toHaveLength(3);
  expect(web.complaints(page).filter((complaint) => !complaint.endsWith('net::ERR_FAILED'))).toEqual([]);
});

test('what a user has not sent is gone with their session', async () => {
  const { page, reply } = await anOpenOne();
  await page.route(replies, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await reply('A secret');
  await log(page).getByText('A secret').waitFor();
  const kept = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  expect(await kept()).toContain('A secret');
  await page.getByRole('button', { name: 'You: ' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await kept()).not.toContain('A secret');
  expect(web.complaints(page).filter((complaint) => !complaint.endsWith('net::ERR_FAILED'))).toEqual([]);
});

test('replies under way when a session ends by itself are sent once its user signs in again', async () => {
  const { page, stored, reply, account, endSession, signIn } = await anOpenOne();
  await refuseReplies(page);
  await reply('One moment');
  await reply('It is on its way');
  await log(page).getByText('It is on its way').waitFor();
  await endSession();
  await page.unroute(replies);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(account);
  await expect.poll(stored).toEqual(['It is on its way', 'One moment', 'Hello?']);
  await expect.poll(() => said(page)).toEqual(['Hello?', 'One moment', 'It is on its way']);
  web.complaints(page);
});

test('a reply under way when a session ends by itself is not sent in the session of another user', async () => {
  const { page, reply, endSession, signIn } = await anOpenOne();
  const another = await api.createAccount();
  await refuseReplies(page);
  await reply('A secret');
  await log(page).getByText('A secret').waitFor();
  await endSession();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(another);
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && replies.test(request.url())) posted.push(request.url());
  });
  // Whatever waits for the network is sent again now, and before the question.
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await page.evaluate(`fetch('/dashboard/api/session').then((answer) => answer.text())`);
  expect(posted).toEqual([]);
  expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('A secret');
  web.complaints(page);
});
