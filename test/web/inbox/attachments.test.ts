import { expect, test } from 'vitest';
import { aPicture } from '../../helpers/files.ts';
import { aVisitor, aWebchat } from '../../helpers/webchat/visitor.ts';
import { findBarriers } from '../helpers/axe.ts';
import { anInboxAccount, log } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const hostile = '<img src=x onerror=alert(1)>.png';

/** A page at the thread with a visitor of a webchat. */
const openThread = async () => {
  const account = await anInboxAccount(api);
  const visitor = aVisitor(api, await aWebchat(api, account));
  await visitor.say('Hello');
  const { conversation } = await visitor.read();
  const page = await web.open(`/inbox/${conversation?.id}`, { session: account.session, alone: true });
  await page.getByRole('textbox', { name: /^Reply to/ }).waitFor();
  return { visitor, page };
};

test('an agent sends an image and a document with a reply, which the visitor gets once, and sees them in the thread', async () => {
  const { visitor, page } = await openThread();
  const send = page.getByRole('button', { name: 'Send reply' });
  await page.locator('input[type=file]').setInputFiles([
    { name: hostile, mimeType: 'image/png', buffer: await aPicture() },
    { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 of a shop') },
    { name: 'gone.txt', mimeType: 'text/plain', buffer: Buffer.from('never sent') },
  ]);
  const files = page.getByRole('list', { name: 'Files to send' });
  await expect.poll(() => files.locator('li[data-state=ready]').count(), { timeout: 30_000 }).toBe(3);
  await page.getByRole('button', { name: 'Remove gone.txt' }).click();
  expect(await findBarriers(page)).toEqual([]);
  await send.click();
  const thread = log(page);
  await thread.getByRole('img', { name: '_img src=x onerror=alert(1)_.png' }).waitFor();
  await thread.getByRole('link', { name: 'receipt.pdf' }).waitFor();
  await expect.poll(() => files.count()).toBe(0);
  const messages = async () => (await visitor.read()).messages.filter(({ direction }) => direction === 'business');
  await expect.poll(async () => (await messages()).length, { interval: 1_000, timeout: 20_000 }).toBe(1);
  expect(await messages()).toMatchObject([
    {
      text: '',
      attachments: [{ type: 'image' }, { type: 'file', name: 'receipt.pdf', content_type: 'application/pdf' }],
    },
  ]);
  await expect.poll(() => thread.getByText('Sending').count()).toBe(0);
  expect(await thread.getByRole('link', { name: 'receipt.pdf' }).count()).toBe(1);
  expect(await findBarriers(page)).toEqual([]);
});

test('files that are pasted or dropped go with the reply, and again with one that was refused or is edited', async () => {
  const { visitor, page } = await openThread();
  const reply = page.getByRole('textbox', { name: /^Reply to/ });
  await reply.focus();
  /** Pastes or drops a file, which no driver of browsers does. */
  const give = (type: 'paste' | 'drop', name: string) =>
    page.evaluate(`(() => {
      const given = new DataTransfer();
      given.items.add(new File(['content of ${name}'], '${name}'));
      const how = { bubbles: true, cancelable: true, clipboardData: given, dataTransfer: given };
      const Given = '${type}' === 'paste' ? ClipboardEvent : DragEvent;
      document.activeElement.dispatchEvent(new Given('${type}', how));
    })()`);
  await give('paste', 'pasted.txt');
  await give('drop', 'dropped.txt');
  const files = page.getByRole('list', { name: 'Files to send' });
  await expect.poll(() => files.locator('li[data-state=ready]').count()).toBe(2);
  let refusals = 0;
  await page.route('**/conversations/*/messages', (route) =>
    route.request().method() === 'POST' && (refusals += 1) <= 2
      ? route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'The contact is blocked.' } } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Send reply' }).click();
  const refused = log(page).getByRole('alert');
  await refused.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => refusals).toBe(2);
  await refused.getByRole('button', { name: 'Edit reply' }).click();
  await expect.poll(() => files.locator('li[data-state=ready]').count()).toBe(2);
  await reply.fill('Both files');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await log(page).getByRole('link', { name: 'dropped.txt' }).waitFor();
  const answers = async () => (await visitor.read()).messages.filter(({ direction }) => direction === 'business');
  await expect.poll(async () => (await answers()).length, { interval: 1_000 }).toBe(1);
  expect(await answers()).toMatchObject([
    { text: 'Both files', attachments: [{ name: 'pasted.txt' }, { name: 'dropped.txt' }] },
  ]);
});

test('links that have expired while a page was open are replaced by ones that open the file', async () => {
  const { visitor, page } = await openThread();
  const content = 'the receipt of a shop';
  const { body: file } = await visitor.upload(Buffer.from(content), 'receipt.txt');
  await page.route('**/dashboard/api/conversations/**', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/expires=\d+/g, 'expires=1700000000');
    await route.fulfill({ response: answer, body });
  });
  await visitor.say('', { attachments: [{ media_id: file.id }] });
  const link = log(page).getByRole('link', { name: 'receipt.txt' });
  await link.waitFor();
  const text = async () => (await page.request.get((await link.getAttribute('href')) ?? '')).text();
  await expect.poll(text).toBe(content);
  await page.unrouteAll({ behavior: 'wait' });
});

test('a file that is refused says why and is not sent until it is taken out, and what a visitor sends is shown', async () => {
  const { visitor, page } = await openThread();
  const reply = page.getByRole('textbox', { name: /^Reply to/ });
  await reply.fill('Here it is');
  await page.locator('input[type=file]').setInputFiles([
    { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    { name: 'huge.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(17 * 1024 * 1024, 1) },
  ]);
  const files = page.getByRole('list', { name: 'Files to send' });
  await files.getByText('The file is empty.').waitFor();
  await files.getByText('Larger than 16 MB').waitFor();
  const send = page.getByRole('button', { name: 'Send reply' });
  expect(await send.isDisabled()).toBe(true);
  for (const name of ['empty.txt', 'huge.bin']) await page.getByRole('button', { name: `Remove ${name}` }).click();
  await expect.poll(() => send.isEnabled()).toBe(true);

  const { body: file } = await visitor.upload(await aPicture('jpeg'), encodeURIComponent(hostile));
  await visitor.say('', { attachments: [{ media_id: file.id }] });
  await log(page).getByRole('img', { name: '_img src=x onerror=alert(1)_.png' }).waitFor();
});

test('a picture that is stored no longer says so in its place', async () => {
  const { visitor, page } = await openThread();
  const { body: file } = await visitor.upload(await aPicture('jpeg'), 'shirt.jpg');
  const lost = /\/media\/med_/;
  await page.route(lost, (route) => route.fulfill({ status: 404, json: {} }));
  await visitor.say('', { attachments: [{ media_id: file.id }] });
  await log(page).getByText('shirt.jpg: no longer stored').waitFor();
  expect(await log(page).getByRole('img', { name: 'shirt.jpg' }).count()).toBe(0);
});
