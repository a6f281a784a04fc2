import { expect, test } from 'vitest';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { startReceiver } from '../../helpers/receiver.ts';
import { findBarriers } from '../helpers/axe.ts';
import { anInboxAccount, log, rows, said, writeNote } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const anAccount = (callbackUrl?: string) => anInboxAccount(api, callbackUrl);

const ada = { external_id: 'ada', first_name: 'Ada' };
const grace = { external_id: 'grace', first_name: '<i>Grace</i>' };

test('two agents and a contact see the same thread, in which nothing is missing and nothing comes twice', async () => {
  const { session, colleague, call, write } = await anAccount();
  const { conversation_id: id } = await write(ada, 'Is the blue one still there?');
  const one = await web.open(`/inbox/${id}`, { session, alone: true });
  const other = await web.open(`/inbox/${id}`, { session: colleague, alone: true });
  await one.getByRole('heading', { name: 'Conversation with Ada', level: 1 }).waitFor();
  await one.getByText('Ana Berg is here').waitFor();

  await one.getByRole('textbox', { name: 'Reply to Ada' }).fill('Yes, two are left.');
  await other.getByText('Ben Ito is editing "a reply"').waitFor();
  await one.getByRole('textbox', { name: 'Reply to Ada' }).press('Control+Enter');
  // In the thread before the server has answered.
  await log(one).getByText('Yes, two are left.').waitFor();
  await log(other).getByText('Yes, two are left.').waitFor();
  await write(ada, '<img src=x onerror=alert(1)>');
  const all = ['Is the blue one still there?', 'Yes, two are left.', '<img src=x onerror=alert(1)>'];
  await expect.poll(() => said(one)).toEqual(all);
  await expect.poll(() => said(other)).toEqual(all);
  const sent = await call<{ data: { text: string; direction: string }[] }>('GET', `/conversations/${id}/messages`);
  expect(sent.data.filter(({ direction }) => direction === 'outbound')).toHaveLength(1);
  await one.getByText('Agent: Ben Ito').waitFor();
  expect(await findBarriers(one)).toEqual([]);
});

test('F leads to the search, and a tag narrows the list in every view and after a reload', async () => {
  const { session, call, write } = await anAccount();
  await write(ada, 'About the blue one');
  const { contact_id: contactId } = await write(grace, 'About the red one');
  await call('PUT', `/contacts/${contactId}/tags/vip`);
  const page = await web.open('/inbox', { session });
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.keyboard.press('f');
  await page.keyboard.type('ad');
  await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('About the blue one')]);
  await page.getByRole('searchbox', { name: 'Search by contact or text' }).fill('');
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'vip' }).click();
  const tagged = [expect.stringContaining('About the red one')];
  await expect.poll(() => rows(page).allTextContents()).toEqual(tagged);
  await page.getByRole('link', { name: 'Unassigned' }).click();
  await page.waitForURL(/view=unassigned&tag=vip$/);
  await page.reload();
  await expect.poll(() => rows(page).allTextContents()).toEqual(tagged);
  expect(await findBarriers(page)).toEqual([]);
});

test('a reply that crosses that of a colleague is held back with theirs, and its author decides', async () => {
  const { session, colleague, call, write } = await anAccount();
  const { conversation_id: id } = await write(ada, 'Hello?');
  const page = await web.open(`/inbox/${id}`, { session });
  await log(page).getByText('Hello?').waitFor();
  // This page hears of nothing from now on.
  await page.route('**/changes?**', (route) => route.fulfill({ status: 404, json: {} }));
  await api.request('POST', `/dashboard/api/conversations/${id}/messages`, {
    session: colleague,
    body: { text: 'Ana here, how can I help?', client_ref: 'of-a-colleague' },
  });
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('Ben here.');
  await page.getByRole('button', { name: 'Send reply' }).click();
  const asked = page.getByRole('alert').filter({ hasText: 'Ana Berg answered in the meantime' });
  await asked.getByText('Ana here, how can I help?').waitFor();
  const count = async () => (await call<{ data: object[] }>('GET', `/conversations/${id}/messages`)).data.length;
  expect(await count()).toBe(2);
  await asked.getByRole('button', { name: 'Edit reply' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Reply to Ada' }).inputValue()).toBe('Ben here.');
  await page.unroute('**/changes?**');
  await page.reload();
  await log(page).getByText('Ana here, how can I help?').waitFor();
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('I am here as well.');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await expect.poll(count).toBe(3);
});

test('a draft is there in another browser, for a reply and a note apart, until it is sent', async () => {
  const { session, write } = await anAccount();
  const { conversation_id: id } = await write(ada, 'Hello?');
  const page = await web.open(`/inbox/${id}`, { session, alone: true });
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('Half a rep');
  await page.getByText('Draft saved').waitFor();
  await writeNote(page);
  await page.getByRole('textbox', { name: 'Note for agents' }).fill('Half a note');
  await page.getByText('Draft saved').waitFor();

  const other = await web.open('/inbox', { session, alone: true });
  await rows(other).filter({ hasText: 'Draft' }).click();
  await expect.poll(() => other.getByRole('textbox', { name: 'Reply to Ada' }).inputValue()).toBe('Half a rep');
  await writeNote(other);
  await expect.poll(() => other.getByRole('textbox', { name: 'Note for agents' }).inputValue()).toBe('Half a note');
  await other.getByRole('button', { name: 'Add note' }).click();
  await log(other).getByText('Half a note').waitFor();
  await log(page).getByText('Half a note').waitFor();
  await other.reload();
  await expect.poll(() => other.getByRole('textbox', { name: 'Reply to Ada' }).inputValue()).toBe('Half a rep');
});

test('the inbox is walked by keys: to a conversation, a canned reply, a note, an assignment, a snooze, the end', async () => {
  const { session, call, write, me } = await anAccount();
  await call('POST', '/canned-replies', { shortcut: 'thanks', text: 'Thank you, {{first_name|default:"friend"}}!' });
  await write(grace, 'First');
  const { conversation_id: id } = await write(ada, 'Where is it?');
  const read = () =>
    call<{ status: string; assigned_to: string | null; snoozed_until: string | null }>('GET', `/conversations/${id}`);
  const page = await web.open('/inbox', { session });
  await rows(page).first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/inbox/${id}`);
  await log(page).getByText('Where is it?').waitFor();

  await page.keyboard.press('/');
  await page.getByRole('option', { name: /thanks/ }).waitFor();
  await page.keyboard.type('tha');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('textbox', { name: 'Reply to Ada' }).inputValue()).toBe('Thank you, Ada!');
  await page.keyboard.press('Control+Enter');
  await log(page).getByText('Thank you, Ada!').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.keyboard.type('A good one.');
  await page.keyboard.press('Control+Enter');
  await log(page).getByText('A good one.').waitFor();
  await page.keyboard.press('Escape');
  expect((await read()).assigned_to).toBe(me);

  await page.keyboard.press('a');
  await page.getByRole('menuitem', { name: 'Unassigned' }).click();
  await expect.poll(async () => (await read()).assigned_to).toBe(null);
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.press('s');
  await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click();
  await expect.poll(async () => (await read()).snoozed_until).not.toBe(null);
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await expect.poll(async () => (await read()).status).toBe('closed');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await page.keyboard.press('e');
  await expect.poll(async () => (await read()).status).toBe('open');
});

test('the list keeps its order while a pointer is over it, and tells how many are new', async () => {
  const { session, write } = await anAccount();
  await write(ada, 'One');
  await write(grace, 'Two');
  const page = await web.open('/inbox', { session });
  const names = () => page.locator('.inbox-name').allTextContents();
  await expect.poll(names).toEqual(['<i>Grace</i>', 'Ada']);
  await rows(page).first().hover();
  await write({ external_id: 'alan', first_name: 'Alan' }, 'Three');
  await page.getByRole('button', { name: 'Show 1 new' }).waitFor();
  expect(await names()).toEqual(['<i>Grace</i>', 'Ada']);
  await page.getByRole('button', { name: 'Show 1 new' }).click();
  await expect.poll(names).toEqual(['Alan', '<i>Grace</i>', 'Ada']);
  await page.getByRole('link', { name: 'Unassigned 3' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('a message that is not sent says why, and a phone shows the list or the thread', async () => {
  const receiver = await startReceiver({ respond: 503 });
  const { session, call, write } = await anAccount(receiver.url('/messages'));
  const { conversation_id: id, contact_id: contactId } = await write(ada, 'Hello');
  const page = await web.open('/inbox', { session, viewport: { width: 360, height: 780 } });
  await rows(page).first().click();
  await page.waitForURL(`**/inbox/${id}`);
  await log(page).getByText('Hello').waitFor();
  expect(await rows(page).first().isVisible()).toBe(false);
  await call('POST', `/contacts/${contactId}/messages`, { text: 'Here we are' });
  await log(page).getByText('the channel responded 503 · after 1 attempt').waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'Back to inbox' }).click();
  await rows(page).first().waitFor();
  await receiver.close();
});

test('rows say which colleague looks at a conversation and who types, until they leave', async () => {
  const { session, colleague, write } = await anAccount();
  const { conversation_id: id } = await write(ada, 'Is the blue one still there?');
  const one = await web.open('/inbox', { session, alone: true });
  const row = rows(one).filter({ hasText: 'Ada' });
  await row.waitFor();
  const other = await web.open(`/inbox/${id}`, { session: colleague, alone: true });
  await row.filter({ hasText: 'Ana Berg is here' }).waitFor();
  await other.getByRole('textbox', { name: 'Reply to Ada' }).fill('Yes');
  await row.filter({ hasText: 'Ana Berg is typing' }).waitFor();
  await other.close();
  await expect.poll(() => row.filter({ hasText: 'Ana Berg' }).count()).toBe(0);
});

test('rows say who wrote the last message: you, a colleague, a program, the bot, and nobody for the contact', async () => {
  const { session, colleague, accountId, write, call } = await anAccount();
  const { contact_id: contact, conversation_id: id } = await write(ada, 'Is the blue one still there?');
  const page = await web.open('/inbox', { session, alone: true });
  const excerpt = rows(page).filter({ hasText: 'Ada' }).locator('.inbox-excerpt');
  const reply = (as: string, text: string) =>
    api.request('POST', `/dashboard/api/conversations/${id}/messages`, {
      session: as,
      body: { text, client_ref: newUuid() },
    });
  await expect.poll(() => excerpt.textContent()).toBe('Is the blue one still there?');
  await reply(session, 'One moment');
  await expect.poll(() => excerpt.textContent()).toBe('You: One moment');
  await reply(colleague, 'Yes');
  await expect.poll(() => excerpt.textContent()).toBe('Ana Berg: Yes');
  await call('POST', `/contacts/${contact}/messages`, { text: 'It is on its way' });
  await expect.poll(() => excerpt.textContent()).toBe('API: It is on its way');
  const flow = await aFlow(api.db, accountId, {
    blocks: [{ id: 'rate', type: 'send', messages: [{ text: 'Rate us' }] }],
  });
  await call('POST', `/contacts/${contact}/flows`, { flow_id: showId('flow', flow) });
  await expect.poll(() => excerpt.textContent()).toBe('Bot: Rate us');
});

test('conversations are found by their contact, open and closed, and the view is back when the search is cleared', async () => {
  const { session, write, call } = await anAccount();
  await write(ada, 'Hello');
  const { conversation_id: closed } = await write(grace, 'Bye');
  await call('POST', `/conversations/${closed}/close`);
  const page = await web.open('/inbox?view=open', { session, alone: true });
  await rows(page).filter({ hasText: 'Ada' }).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search by contact or text' });
  await search.fill('<i>gr');
  await rows(page).filter({ hasText: '<i>Grace</i>' }).waitFor();
  expect(await rows(page).count()).toBe(1);
  await search.fill('nobody');
  await page.getByText('No conversations found').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.reload();
  await page.getByText('No conversations found').waitFor();
  await search.fill('');
  await rows(page).filter({ hasText: 'Ada' }).waitFor();
  expect(await rows(page).count()).toBe(1);
});

test('conversations are found by words of a message, which are marked in the row', async () => {
  const { session, write } = await anAccount();
  await write(ada, 'Where is my Übergröße, ordered in March?');
  await write(ada, 'Hello?');
  await write(grace, 'Hello');
  const page = await web.open('/inbox', { session });
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByRole('searchbox', { name: 'Search by contact or text' }).fill('ubergroße mar');
  await expect.poll(() => rows(page).count()).toBe(1);
  await rows(page).getByText('Where is my').waitFor();
  expect(await rows(page).locator('mark').allTextContents()).toEqual(['Übergröße', 'March']);
  await rows(page).click();
  await expect.poll(() => said(page)).toHaveLength(2);
  expect(await findBarriers(page)).toEqual([]);
});
