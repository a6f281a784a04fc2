import { expect, test } from 'vitest';
import { anInboxAccount, log, said, writeNote } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const ada = { external_id: 'ada', first_name: 'Ada' };

const anAccountWithOne = async () => {
  const account = await anInboxAccount(api);
  const { conversation_id: id } = await account.write(ada, 'Hello?');
  const draft = async (kind: string) =>
    (await api.request<{ text: string }>('GET', `/dashboard/api/conversations/${id}/drafts/${kind}`, account)).body
      .text;
  const saveDraft = (kind: string, text: string) =>
    api.request('PUT', `/dashboard/api/conversations/${id}/drafts/${kind}`, {
      session: account.session,
      body: { text },
    });
  const open = async () => {
    const page = await web.open('/inbox', { session: account.session, alone: true });
    await page.locator('.inbox-row').first().waitFor();
    return page;
  };
  return { ...account, id, draft, saveDraft, open };
};

/** Holds requests that match until it is let go of. */
const aGate = () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
};

test('what is typed before the stored draft has come stands below it, and is saved with it', async () => {
  const { draft, saveDraft, open } = await anAccountWithOne();
  await saveDraft('reply', 'Dear Ada,');
  const page = await open();
  const gate = aGate();
  const saved: string[] = [];
  await page.route(/drafts\/reply$/, async (route) => {
    if (route.request().method() === 'GET') await gate.opened;
    else saved.push(route.request().method());
    return route.continue();
  });
  await page.locator('.inbox-row').first().click();
  const field = page.getByRole('textbox', { name: 'Reply to Ada' });
  await field.pressSequentially('thank you');
  await log(page).getByText('Hello?').waitFor();
  // Longer than the pause after which a draft is saved.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1200))');
  expect(saved).toEqual([]);
  gate.open();
  await expect.poll(() => field.inputValue()).toBe('Dear Ada,\nthank you');
  await expect.poll(() => draft('reply')).toBe('Dear Ada,\nthank you');
});

test('a note whose answer is lost is stored once, and what is typed meanwhile stays', async () => {
  const { id, call, draft, open } = await anAccountWithOne();
  const page = await open();
  await page.locator('.inbox-row').first().click();
  await writeNote(page);
  const field = page.getByRole('textbox', { name: 'Note' });
  let tries = 0;
  await page.route(/conversations\/[^/]+\/notes$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    tries += 1;
    if (tries > 1) return route.continue();
    await route.fetch();
    await field.pressSequentially('and more');
    return route.abort();
  });
  await field.fill('She likes blue.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect.poll(() => log(page).getByText('She likes blue.').count()).toBe(1);
  await expect.poll(() => field.inputValue()).toBe('and more');
  const notes = async () =>
    (await call<{ data: { text: string }[] }>('GET', `/conversations/${id}/notes`)).data.map(({ text }) => text);
  expect(await notes()).toEqual(['She likes blue.']);
  await expect.poll(() => tries).toBe(2);
  await expect.poll(() => draft('note')).toBe('and more');
  expect(web.complaints(page).filter((complaint) => !complaint.endsWith('net::ERR_FAILED'))).toEqual([]);
});

test('a note that is refused comes back above what was typed meanwhile, with the reason', async () => {
  const { open } = await anAccountWithOne();
  const page = await open();
  await page.locator('.inbox-row').first().click();
  await writeNote(page);
  const field = page.getByRole('textbox', { name: 'Note' });
  await page.route(/conversations\/[^/]+\/notes$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await field.pressSequentially('and more');
    return route.fulfill({ status: 409, json: {} });
  });
  await field.fill('She likes blue.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect.poll(() => field.inputValue()).toBe('She likes blue.\nand more');
  await page.getByRole('region', { name: 'Write' }).getByRole('alert').waitFor();
});

test('what is typed while a canned reply is fetched stays', async () => {
  const { call, open } = await anAccountWithOne();
  await call('POST', '/canned-replies', { shortcut: 'hi', text: 'Good day!' });
  const page = await open();
  await page.locator('.inbox-row').first().click();
  const gate = aGate();
  await page.route(/canned-replies\/[^/]+\/render$/, async (route) => {
    await gate.opened;
    return route.continue();
  });
  const field = page.getByRole('textbox', { name: 'Reply to Ada' });
  await field.pressSequentially('/hi');
  await page.getByRole('option', { name: /hi/ }).waitFor();
  await field.press('Enter');
  await field.press('End');
  await field.pressSequentially(' Ada');
  gate.open();
  await expect.poll(() => field.inputValue()).toBe('Good day! Ada');
});

test('a conversation whose messages could not be read is not marked as read', async () => {
  const { id, call, open } = await anAccountWithOne();
  const page = await open();
  await page.route(/conversations\/[^/]+\/messages\?/, (route) => route.fulfill({ status: 404, json: {} }));
  await page.locator('.inbox-row').first().click();
  await page.getByRole('button', { name: /again/i }).first().waitFor();
  await page.getByRole('textbox', { name: 'Reply to Ada' }).waitFor();
  const unread = async () => (await call<{ unread: number }>('GET', `/conversations/${id}`)).unread;
  expect(await unread()).toBe(1);
  await page.unroute(/conversations\/[^/]+\/messages\?/);
  await page.getByRole('button', { name: /again/i }).first().click();
  await expect.poll(unread).toBe(0);
});

test('a reply that was sent does not come back below what followed it', async () => {
  const { id, session, write } = await anAccountWithOne();
  const page = await web.open('/inbox', { session, alone: true });
  await page.clock.install();
  await page.reload();
  await page.locator('.inbox-row').first().click();
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('One moment');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await log(page).getByText('One moment').waitFor();
  await expect.poll(() => log(page).getByText('Sending').count()).toBe(0);
  await page.getByRole('link', { name: 'Flows' }).first().click();
  await page.waitForURL('**/flows');
  for (let turn = 1; turn <= 51; turn += 1) await write(ada, `Message ${turn}`);
  // The lists of a thread are forgotten five minutes after it was shown.
  await page.clock.fastForward('06:00');
  await page.goBack();
  await page.waitForURL(`**/inbox/${id}`);
  await log(page).getByText('Message 51').waitFor();
  const texts = await said(page);
  expect(texts.at(-1)).toBe('Message 51');
  expect(texts).not.toContain('One moment');
});

test.for([
  ['before any canned reply has come', /canned-replies\?/],
  ['before those of the shortcut have come', /canned-replies\?.*search=tha/],
] as const)('Enter pressed %s inserts the one that was typed', async ([, held]) => {
  const { call, open } = await anAccountWithOne();
  await call('POST', '/canned-replies', { shortcut: 'another', text: 'Good day!' });
  await call('POST', '/canned-replies', { shortcut: 'thanks', text: 'Thank you!' });
  const page = await open();
  const gate = aGate();
  await page.route(held, async (route) => {
    await gate.opened;
    return route.continue();
  });
  await page.locator('.inbox-row').first().click();
  const field = page.getByRole('textbox', { name: 'Reply to Ada' });
  const asked = page.waitForRequest(held);
  await field.pressSequentially('/tha');
  await field.press('Enter');
  await asked;
  expect(await field.inputValue()).toBe('/tha');
  gate.open();
  await expect.poll(() => field.inputValue()).toBe('Thank you!');
});

test('Enter breaks the line where no canned reply has the shortcut, and Tab leaves the text at any time', async () => {
  const { open } = await anAccountWithOne();
  const page = await open();
  const gate = aGate();
  await page.route(/canned-replies\?/, async (route) => {
    await gate.opened;
    return route.continue();
  });
  await page.locator('.inbox-row').first().click();
  const field = page.getByRole('textbox', { name: 'Reply to Ada' });
  await field.pressSequentially('See /docs');
  await field.press('Tab');
  expect(await field.and(page.locator(':focus')).count()).toBe(0);
  await field.press('End');
  await field.press('Enter');
  expect(await field.inputValue()).toBe('See /docs');
  gate.open();
  await expect.poll(() => field.inputValue()).toBe('See /docs\n');
});

test('Esc leaves the canned replies of one shortcut, and the next one offers them again', async () => {
  const { call, open } = await anAccountWithOne();
  await call('POST', '/canned-replies', { shortcut: 'thanks', text: 'Thank you!' });
  const page = await open();
  await page.locator('.inbox-row').first().click();
  const field = page.getByRole('textbox', { name: 'Reply to Ada' });
  const offered = page.getByRole('option', { name: /thanks/ });
  await field.press('/');
  await offered.waitFor();
  await field.press('Escape');
  await offered.waitFor({ state: 'detached' });
  await field.press('t');
  expect(await offered.count()).toBe(0);
  await field.fill('');
  await field.pressSequentially('/t');
  await offered.waitFor();
});

test('a stored draft that comes late does not take the place of what was saved meanwhile', async () => {
  const { draft, saveDraft, write, open } = await anAccountWithOne();
  await write({ external_id: 'grace', first_name: 'Grace' }, 'Hi');
  await saveDraft('reply', 'Dear');
  const page = await open();
  const row = (name: string) => page.locator('.inbox-row').filter({ hasText: name });
  const field = page.getByRole('textbox', { name: 'Reply to Ada' });
  await row('Ada').click();
  await expect.poll(() => field.inputValue()).toBe('Dear');
  await row('Grace').click();
  await page.getByRole('textbox', { name: 'Reply to Grace' }).waitFor();
  const gate = aGate();
  const read = Promise.withResolvers<void>();
  await page.route(/drafts\/reply$/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    read.resolve();
    await gate.opened;
    return route.fulfill({ response });
  });
  const isRead = page.waitForResponse(
    (response) => response.url().endsWith('/drafts/reply') && response.request().method() === 'GET',
  );
  await row('Ada').click();
  await read.promise;
  await field.fill('Dear Ada, thank you');
  await expect.poll(() => draft('reply')).toBe('Dear Ada, thank you');
  await page.getByText('Draft saved').waitFor();
  gate.open();
  await (await isRead).finished();
  // Twice, because it is shown after the answer is read.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  expect(await field.inputValue()).toBe('Dear Ada, thank you');
});
