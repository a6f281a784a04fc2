import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

type Message = { id: string; contact_id: string; conversation_id: string };

/** An account with a channel, on which contacts write. */
const anAccount = async () => {
  const account = await api.createAccount();
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    (await api.request<Body>(method, `/v1${path}`, { key: account.apiKey, ...(body !== undefined && { body }) })).body;
  const channel = await call<{ id: string }>('POST', '/channels', {
    type: 'api',
    name: '<b>Shop</b>',
    callback_url: null,
  });
  const write = async (sender: object, text: string): Promise<Message> => {
    const body = anInboundMessage({ sender: { external_id: 'x', ...sender }, text });
    const { message } = await call<{ message: Message }>('POST', `/channels/${channel.id}/inbound`, body);
    return call<Message>('GET', `/messages/${message.id}`);
  };
  return { ...account, me: showId('user', account.userId), call, channelId: channel.id, write };
};

const ada = { external_id: 'ada', first_name: 'Ada' };
const grace = { external_id: 'grace', first_name: '<i>Grace</i>' };

test('conversations appear as contacts write, and are found by filters that the url holds', async () => {
  const { session, call, write, userId, me, channelId } = await anAccount();
  await setRole(api.db, userId, 'agent');
  const page = await web.open('/conversations', { session });
  await page.getByRole('heading', { name: 'No conversations yet' }).waitFor();
  const table = page.getByRole('table', { name: 'Conversations' });
  const texts = () => table.locator('td[data-card=line] .mantine-Text-root').allTextContents();

  const first = await write(ada, 'Is the blue one still there?');
  const other = await write(grace, '<img src=x onerror=alert(1)>');
  await expect.poll(texts).toEqual(['<img src=x onerror=alert(1)>', 'Is the blue one still there?']);
  expect(await findBarriers(page)).toEqual([]);

  // Whoever wrote last is on top, while the page is open.
  await write(ada, 'And the red one?');
  await expect.poll(texts).toEqual(['And the red one?', '<img src=x onerror=alert(1)>']);
  await call('POST', '/handovers', { conversation_id: other.conversation_id, reason: 'Wants a person' });
  await page.getByRole('row', { name: /Grace.*Waiting for an agent/ }).waitFor();
  await page.getByRole('combobox', { name: 'Handled by' }).click();
  await page.getByRole('option', { name: 'Handed over' }).click();
  await expect.poll(texts).toEqual(['<img src=x onerror=alert(1)>']);
  const silent = await call<{ id: string }>('POST', '/contacts', { first_name: 'Alan' });
  await call('POST', '/handovers', { contact_id: silent.id, reason: 'Called by phone' });
  const without = page.getByRole('region', { name: 'Handovers without a conversation' });
  await without.getByRole('link', { name: 'Alan' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await call('PATCH', `/conversations/${first.conversation_id}`, { assigned_to: me });
  await page.getByRole('combobox', { name: 'Assigned to' }).click();
  await page.getByRole('option', { name: 'Me' }).click();
  await expect.poll(texts).toEqual(['And the red one?']);
  expect(new URL(page.url()).searchParams.get('assigned_to')).toBe(me);
  await page.getByRole('button', { name: 'Clear filters' }).click();

  const market = await call<{ id: string }>('POST', '/channels', { type: 'api', name: 'Market' });
  const alan = { external_id: 'alan', first_name: 'Alan' };
  await call('POST', `/channels/${market.id}/inbound`, anInboundMessage({ sender: alan, text: 'Hello there' }));
  await page.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: 'Market' }).click();
  await expect.poll(texts).toEqual(['Hello there']);
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${api.url}/conversations?channel=${channelId}`);
  await expect.poll(async () => (await texts()).length).toBe(2);
  expect(await page.getByRole('combobox', { name: 'Channel' }).inputValue()).toBe('<b>Shop</b>');
  await page.goto(`${api.url}/conversations?assigned_to=none&contact=${first.contact_id}`);
  await page.getByRole('heading', { name: 'No conversations found' }).waitFor();
  await page.goto(`${api.url}/conversations?status=open&contact=${first.contact_id}`);
  await expect.poll(texts).toEqual(['And the red one?']);
});

test('who waits for a person without a conversation is reached behind two hundred who have one', async () => {
  const { session, call, channelId } = await anAccount();
  const silent = await call<{ id: string }>('POST', '/contacts', { first_name: 'Alan' });
  await call('POST', '/handovers', { contact_id: silent.id, reason: 'Called by phone' });
  const many = Array.from({ length: 200 }, (_, place) =>
    anInboundMessage({ sender: { external_id: `visitor-${place}` }, text: 'Help' }),
  );
  for (const half of [many.slice(0, 100), many.slice(100)]) await call('POST', `/channels/${channelId}/inbound`, half);
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { data: { id: string }[]; next_cursor: string | null } = await call(
      'GET',
      `/conversations?limit=200${cursor && `&cursor=${cursor}`}`,
    );
    await Promise.all(page.data.map(({ id }) => call('POST', '/handovers', { conversation_id: id, reason: 'Help' })));
    cursor = page.next_cursor;
  }
  const page = await web.open('/conversations?state=handover', { session });
  const without = page.getByRole('region', { name: 'Handovers without a conversation' });
  await without.getByText('The 200 newest open handovers have a conversation.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await without.getByRole('button', { name: 'Load more' }).click();
  await without.getByRole('link', { name: 'Alan' }).waitFor();
});

test('conversations are reached from where they are spoken of', async () => {
  const { session, call, write, channelId } = await anAccount();
  const { conversation_id: id, contact_id: contactId } = await write(ada, 'Hello');
  await call('POST', '/handovers', { conversation_id: id, reason: 'Help' });
  const to = `/inbox/${id}`;
  const page = await web.open('/', { session });
  const matter = page.getByRole('link', { name: /is waiting for an agent$/ });
  expect(await matter.getAttribute('href')).toBe(to);
  await page.goto(`${api.url}/contacts/${contactId}`);
  await page.getByRole('region', { name: 'Handover requested' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Received', exact: true }).getAttribute('href')).toBe(to);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Conversations' }).click();
  expect(await page.getByRole('link', { name: 'Open conversation: Hello' }).getAttribute('href')).toBe(to);
  await page.goto(`${api.url}/settings/channels/${channelId}`);
  await page.getByLabel('Sender ID').fill('ada');
  await page.getByRole('textbox', { name: 'Text' }).fill('Me again');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: 'Open conversation' }).click();
  await page.waitForURL(`**${to}`);
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).waitFor();
});
