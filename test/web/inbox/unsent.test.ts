import { expect, test } from 'vitest';
import { anInboxAccount, log, said } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const ada = { external_id: 'ada', first_name: 'Ada' };

/** An open conversation, and what ends or begins the way of replies to the server. */
const anOpenOne = async () => {
  const { session, write, call } = await anInboxAccount(api);
  const { conversation_id: id } = await write(ada, 'Hello?');
  const page = await web.open(`/inbox/${id}`, { session, alone: true });
  const stored = async () =>
    (await call<{ data: { text: string }[] }>('GET', `/conversations/${id}/messages`)).data.map(({ text }) => text);
  const reply = async (text: string) => {
    await page.getByRole('textbox', { name: 'Reply to Ada' }).fill(text);
    await page.getByRole('button', { name: 'Send reply' }).click();
  };
  return { page, stored, reply };
};

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
