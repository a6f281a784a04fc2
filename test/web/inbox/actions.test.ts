import { expect, test } from 'vitest';
import { flowCalls } from '../../helpers/flows.ts';
import { findBarriers } from '../helpers/axe.ts';
import { anInboxAccount, log, rows, said } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const ada = { external_id: 'ada', first_name: 'Ada' };

type Conversation = { owner: string; assigned_to: string | null; snoozed_until: string | null; unread: number };

/** A conversation that an agent of the account has open. */
const anOpenOne = async () => {
  const account = await anInboxAccount(api);
  const { conversation_id: id, contact_id: contactId } = await account.write(ada, 'Hello?');
  const page = await web.open(`/inbox/${id}`, { session: account.session });
  await log(page).getByText('Hello?').waitFor();
  const read = () => account.call<Conversation>('GET', `/conversations/${id}`);
  return { ...account, id, contactId, page, read };
};

test('a conversation is handed over with a note, which the colleague reads, and handed back to the bot', async () => {
  const { id, page, read, call, colleague } = await anOpenOne();
  await call('POST', '/handovers', { conversation_id: id, reason: 'asks for a person' });
  await page.getByText('Waiting for an agent').waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).last().click();
  await page.getByRole('menuitem', { name: 'Hand over' }).click();
  const form = page.getByRole('dialog', { name: 'Hand over' });
  await form.getByRole('button', { name: 'Hand over' }).click();
  await form.getByText('Choose a colleague.').waitFor();
  await form.getByRole('combobox', { name: 'Colleague' }).click();
  await page.getByRole('option', { name: /Ana Berg/ }).click();
  await form.getByRole('textbox', { name: /Note/ }).fill('She asks for <b>blue</b>.');
  expect(await findBarriers(page)).toEqual([]);
  await form.getByRole('button', { name: 'Hand over' }).click();
  await page.getByText('Agent: Ana Berg').waitFor();

  const other = await web.open('/inbox?view=mine', { session: colleague, alone: true });
  await rows(other).first().click();
  await other.waitForURL(`**/inbox/${id}?view=mine`);
  await log(other).getByText('She asks for <b>blue</b>.').waitFor();
  await other.getByRole('button', { name: 'More', exact: true }).last().click();
  await other.getByRole('menuitem', { name: 'Hand back' }).click();
  await expect.poll(async () => (await read()).owner).toBe('bot');
  await log(page)
    .getByText(/Handed back to the bot/)
    .waitFor();
  await other.getByText('Bot', { exact: true }).waitFor();
});

test('a conversation is snoozed until a chosen time, is listed as such, and its snooze is ended', async () => {
  const { page, read } = await anOpenOne();
  const until = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose a time' }).click();
  const form = page.getByRole('dialog', { name: 'Snooze' });
  await form.getByLabel('Snooze until').fill(until);
  await form.getByRole('button', { name: 'Snooze' }).click();
  await expect.poll(async () => (await read()).snoozed_until).not.toBe(null);
  await page.goto(`${page.url()}?view=snoozed`);
  await rows(page)
    .getByText(/Snoozed until/)
    .waitFor();
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('menuitem', { name: 'End snooze' }).click();
  await expect.poll(async () => (await read()).snoozed_until).toBe(null);
  await page.getByText('No snoozed conversations').waitFor();
});

test('a conversation that is marked as unread stays so while it is open, until it is opened again', async () => {
  const { page, read } = await anOpenOne();
  await expect.poll(async () => (await read()).unread).toBe(0);
  await log(page).focus();
  await page.keyboard.press('u');
  await rows(page).getByLabel('1 unread message').waitFor();
  expect((await read()).unread).toBe(1);
  await page.reload();
  await expect.poll(async () => (await read()).unread).toBe(0);
});

test('links of earlier mails lead to the inbox, and Ctrl+K finds a conversation by its contact', async () => {
  const { id, page, session } = await anOpenOne();
  const other = await web.open(`/conversations/${id}`, { session, alone: true });
  await other.waitForURL(`**/inbox/${id}`);
  await log(other).getByText('Hello?').waitFor();
  await page.goto(`${api.url}/inbox`);
  await rows(page).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: /Find/ }).fill('Ada');
  await page.getByText('Conversation with Ada').click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/inbox/${id}`);
});

test('a page that was offline shows each message once, and sends what was written meanwhile once', async () => {
  const { page, write, call, id } = await anOpenOne();
  await page.context().setOffline(true);
  await write(ada, 'Are you there?');
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('I am.');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await log(page).getByText('Sending').waitFor();
  await page.context().setOffline(false);
  await expect.poll(() => said(page)).toEqual(['Hello?', 'Are you there?', 'I am.']);
  // The thread shows it before the server has it.
  const stored = async () =>
    (await call<{ data: { text: string }[] }>('GET', `/conversations/${id}/messages`)).data.map(({ text }) => text);
  await expect.poll(stored).toEqual(['I am.', 'Are you there?', 'Hello?']);
  // What was asked while there was no network fails.
  expect(web.complaints(page).filter((line) => !line.endsWith('net::ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

test('a reply is in the thread while its request is on the way, and the next conversation is there when it is opened', async () => {
  const { page, write } = await anOpenOne();
  await write({ external_id: 'grace', first_name: 'Grace' }, 'From Grace');
  await write(ada, 'Once more');
  const grace = rows(page).filter({ hasText: 'Grace' });
  await expect.poll(() => page.locator('.inbox-name').allTextContents()).toEqual(['Ada', 'Grace']);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/messages$/, async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('On the way');
  await page.keyboard.press('Control+Enter');
  await log(page).getByText('On the way').waitFor();
  await log(page).getByText('Sending').waitFor();
  release();
  await log(page).getByText('Sending').waitFor({ state: 'detached' });

  const isRead = (): Promise<boolean> =>
    page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => /[/]acts[?]/.test(name)).length > 1");
  await expect.poll(isRead).toBe(true);
  // Nothing that it asks for is answered from now on.
  await page.route(/dashboard.api.(conversations|contacts)/, () => {});
  await grace.click();
  await log(page).getByText('From Grace').waitFor();
});

test('a conversation that was read ahead has what was said since then when it is opened', async () => {
  const { page, write } = await anOpenOne();
  const grace = { external_id: 'grace', first_name: 'Grace' };
  await write(grace, 'Before');
  await write(ada, 'Once more');
  await expect.poll(() => page.locator('.inbox-name').allTextContents()).toEqual(['Ada', 'Grace']);
  const isRead = (): Promise<boolean> =>
    page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => /[/]acts[?]/.test(name)).length > 1");
  await expect.poll(isRead).toBe(true);
  // The list may know of the message before the thread does, and what was read ahead is not read again.
  await write(grace, 'Meanwhile');
  await page.route(/(messages|notes|acts)[?]limit/, () => {});
  await rows(page).filter({ hasText: 'Meanwhile' }).click();
  await expect.poll(() => said(page)).toEqual(['Before', 'Meanwhile']);
});

test('a conversation of the list is there while it is asked for again', async () => {
  const { page, write } = await anOpenOne();
  await write({ external_id: 'grace', first_name: 'Grace' }, 'From Grace');
  const row = rows(page).filter({ hasText: 'From Grace' });
  await row.waitFor();
  await page.route(/conversations.[^/?]+$/, () => {});
  await row.click();
  await expect.poll(() => said(page)).toEqual(['From Grace']);
});

test('a contact is blocked and unblocked from the thread, which asks first', async () => {
  const { session, write, call } = await anInboxAccount(api);
  const { contact_id: id, conversation_id: conversation } = await write(ada, 'Buy now!');
  const statusOf = async () => (await call<{ status: string }>('GET', `/contacts/${id}`)).status;
  const page = await web.open(`/inbox/${conversation}`, { session, alone: true });
  const more = page
    .getByRole('region', { name: /^Conversation with/ })
    .getByRole('button', { name: 'More', exact: true });
  await more.click();
  await page.getByRole('menuitem', { name: 'Block …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await expect.poll(statusOf).toBe('blocked');
  await page.getByText('Blocked', { exact: true }).first().waitFor();
  await more.click();
  await page.getByRole('menuitem', { name: 'Unblock' }).click();
  await expect.poll(statusOf).toBe('active');
});

test('a snooze that is too far ahead says so in its form, which stays open', async () => {
  const { page, read } = await anOpenOne();
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose a time' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Snooze until').fill('2099-01-01T09:00');
  await dialog.getByRole('button', { name: 'Snooze' }).click();
  await dialog.getByText(/at most 366 days/).waitFor();
  expect((await read()).snoozed_until).toBeNull();
});

test('a key that is held down closes a conversation once, and the thread says who ended the handover', async () => {
  const { page, id, call, read } = await anOpenOne();
  await call('POST', '/handovers', { conversation_id: id, reason: 'asks for a person' });
  await page.getByText('Waiting for an agent').waitFor();
  await log(page).focus();
  await page.keyboard.down('e');
  await page.getByText('Closed', { exact: true }).first().waitFor();
  for (let turn = 0; turn < 5; turn += 1) await page.keyboard.down('e');
  await page.keyboard.up('e');
  await log(page).getByText('Handed back to the bot by Ben Ito').waitFor();
  expect(await read()).toMatchObject({ status: 'closed' });
  const { data } = await call<{ data: { kind: string }[] }>('GET', `/conversations/${id}/acts`);
  expect(data.filter(({ kind }) => kind === 'closed' || kind === 'reopened')).toHaveLength(1);
});

test('an agent who has a conversation that no handover silences reads that the bot may talk in it', async () => {
  const { page, id, call, me, ...account } = await anOpenOne();
  await flowCalls(api, account).createLive();
  await call('PATCH', `/conversations/${id}`, { assigned_to: me });
  await page.getByText('Agent: Ben Ito').waitFor();
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('Hello');
  await page.getByText('The bot may talk here. Sending pauses it.').waitFor();
  await page.getByRole('button', { name: 'Send reply' }).click();
  await log(page).getByText('Hello', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('And');
  await expect.poll(() => page.getByText('The bot may talk here').count()).toBe(0);
});

test('the end of a snooze is said as such', async () => {
  const { page, id, call } = await anOpenOne();
  await call('POST', `/conversations/${id}/snooze`, { until: new Date(Date.now() + 3_600_000).toISOString() });
  await log(page).getByText('Snoozed', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('menuitem', { name: 'End snooze' }).click();
  await log(page).getByText('Snooze ended by Ben Ito').waitFor();
  expect(await log(page).getByText('Snoozed').count()).toBe(1);
});

test('details that come over the thread take the focus along, and give it back', async () => {
  const { page } = await anOpenOne();
  await page.setViewportSize({ width: 1000, height: 800 });
  const opener = page.getByRole('button', { name: 'Show details' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: 'Details of the contact' });
  await expect.poll(() => details.evaluate('document.activeElement.closest("#inbox-context") !== null')).toBe(true);
  expect(await opener.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Escape');
  await expect.poll(() => details.isVisible()).toBe(false);
  await expect.poll(() => opener.evaluate('document.activeElement.ariaLabel')).toBe('Show details');
});

test('a conversation that was left above its end is read to the end where all of it has room now', async () => {
  const { page, id, write, read } = await anOpenOne();
  for (let turn = 1; turn <= 8; turn += 1) await write(ada, `Message ${turn}`);
  await write({ external_id: 'bob', first_name: 'Bob' }, 'Another one');
  await page.setViewportSize({ width: 1280, height: 500 });
  await log(page).getByText('Message 8').waitFor();
  await page.evaluate('document.querySelector(".inbox-log").scrollTo({ top: -300 })');
  await expect.poll(() => page.evaluate<number>('document.querySelector(".inbox-log").scrollTop')).toBeLessThan(-100);
  await rows(page).filter({ hasText: 'Bob' }).click();
  await log(page).getByText('Another one').waitFor();
  await page.setViewportSize({ width: 1280, height: 2_000 });
  await write(ada, 'And one more');
  await expect.poll(async () => (await read()).unread).toBe(1);
  await rows(page).filter({ hasText: 'Ada' }).click();
  await page.waitForURL(`**/inbox/${id}`);
  await expect.poll(async () => (await read()).unread).toBe(0);
});
