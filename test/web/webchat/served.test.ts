import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readId, showId } from '../../../src/shared/ids.ts';
import { createReturnToken } from '../../../src/shared/messages/webchat/links.ts';
import { anIdentity, aWebchat } from '../../helpers/webchat/visitor.ts';
import { useWeb } from '../helpers/web.ts';

/** The chat against the service itself, on the demo page, whose policy is as strict as a site's can be. */
const { api, web } = await useWeb();

const openChat = async (fields: object = {}) => {
  const account = await api.createAccount();
  const channel = await aWebchat(api, account, { greeting: 'Hi! How can we help?', ...fields });
  const page = await web.open(`/webchat/${channel.id}/demo`, { alone: true });
  const panel = page.getByRole('dialog');
  const as = <Body>(method: string, path: string, body?: unknown) =>
    api.request<Body>(method, `/v1${path}`, { key: account.apiKey, body });
  const contacts = () => api.db<{ id: string }[]>`select id from contacts where account_id = ${account.accountId}`;
  return {
    channel,
    page,
    panel,
    contacts,
    write: async (text: string, at: Page = page) => {
      await at.locator('textarea').fill(text);
      await at.locator('textarea').press('Enter');
    },
    answer: async (text: string, more: object = {}) => {
      const [contact] = await contacts();
      const { status } = await as('POST', `/contacts/${showId('contact', contact?.id ?? '')}/messages`, {
        text,
        ...more,
      });
      expect(status).toBe(201);
    },
    close: async () => {
      const { body } = await as<{ data: { id: string }[] }>('GET', '/conversations?status=open');
      for (const { id } of body.data) await as('POST', `/conversations/${id}/close`);
    },
    texts: (at: Page = page) => at.locator('.message .text').allTextContents(),
  };
};

test('a visitor of the demo page and an agent talk live, over a reload and another conversation', async () => {
  const { page, panel, contacts, write, answer, close, texts } = await openChat();
  await page.locator('.launcher').click();
  await panel.getByText('Hi! How can we help?').waitFor();
  expect(await contacts()).toHaveLength(0);
  await write('Where is my order?');
  await panel.getByText(/Sent$/).waitFor();
  await answer('Which one?', { quick_replies: ['1042', '1043'] });
  await panel.getByRole('button', { name: '1042' }).click();
  await expect.poll(async () => (await api.db`select from messages where text = '1042'`).length).toBe(1);
  await answer('It is on its way.');
  await panel.getByText('It is on its way.').waitFor();
  const said = ['Hi! How can we help?', 'Where is my order?', 'Which one?', '1042', 'It is on its way.'];
  await expect.poll(() => texts()).toEqual(said);
  await page.reload();
  await panel.getByText('It is on its way.').waitFor();
  expect(await texts()).toEqual(said);
  await close();
  await write('And the other one?');
  await expect.poll(async () => (await api.db`select from messages where text = 'And the other one?'`).length).toBe(1);
  await answer('Tomorrow.');
  await panel.getByText('Tomorrow.').waitFor();
  await expect.poll(() => texts()).toEqual([...said, 'And the other one?', 'Tomorrow.']);
  expect(await contacts()).toHaveLength(1);
  const { length: read } = await api.db`select from outbound_messages o join messages m on m.id = o.message_id
    where m.contact_id = ${(await contacts())[0]?.id ?? ''} and o.read_at is not null`;
  expect(read).toBeGreaterThan(0);
});

test('a person whom the site identifies has their thread, and the next one on that browser another', async () => {
  const { page, panel, channel, write, texts } = await openChat();
  const identify = async (id: string) =>
    page.evaluate(`ParleyWebchat.identify(${JSON.stringify(anIdentity(channel.secret, id))})`);
  await page.locator('.launcher').click();
  await identify('ann');
  await write('This is Ann');
  await panel.getByText(/Sent$/).waitFor();
  await identify('bob');
  await expect.poll(() => texts()).toEqual(['Hi! How can we help?']);
  await write('This is Bob');
  await panel.getByText(/Sent$/).waitFor();
  await identify('ann');
  await expect.poll(() => texts()).toEqual(['Hi! How can we help?', 'This is Ann']);
});

test('a link of a mail opens the conversation in another browser, once, and leaves the address of the page', async () => {
  const { page, panel, channel, write, answer, texts } = await openChat();
  await page.locator('.launcher').click();
  await page.evaluate(`ParleyWebchat.identify(${JSON.stringify(anIdentity(channel.secret, 'ann'))})`);
  await write('Where is my order?');
  await panel.getByText(/Sent$/).waitFor();
  await answer('It is on its way.');
  const [visitor] = await api.db<{ id: string }[]>`select id from webchat_visitors where identified_as = 'ann'
    and channel_id = ${readId('channel', channel.id)}`;
  const token = await createReturnToken(api.db, visitor?.id ?? '');
  const path = `/webchat/${channel.id}/demo`;
  const other = await web.open(`${path}#parley-chat=${token}`, { alone: true });
  await other.getByText('It is on its way.').waitFor();
  expect(await texts(other)).toEqual(['Hi! How can we help?', 'Where is my order?', 'It is on its way.']);
  expect(other.url()).toBe(`${api.url}${path}`);
  const third = await web.open(`${path}#parley-chat=${token}`, { alone: true });
  await third.getByRole('dialog').getByText('Hi! How can we help?').waitFor();
  expect(await texts(third)).toEqual(['Hi! How can we help?']);
});

test('older messages of a long thread come from the service as the visitor scrolls up', async () => {
  const { page, panel, write, answer, texts } = await openChat();
  await page.locator('.launcher').click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  for (let said = 1; said <= 60; said += 1) await answer(`message ${said}`);
  await page.reload();
  await panel.getByText('message 60').waitFor();
  const scroll = panel.locator('.scroll');
  await scroll.evaluate((element: { scrollTo: (x: number, y: number) => void }) => element.scrollTo(0, 0));
  await panel.getByText('Hello').waitFor();
  expect((await texts()).length).toBe(62);
});
