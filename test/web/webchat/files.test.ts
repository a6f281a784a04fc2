import { expect, test } from 'vitest';
import { showId } from '../../../src/shared/ids.ts';
import { aPicture, aWave } from '../../helpers/files.ts';
import { aWebchat } from '../../helpers/webchat/visitor.ts';
import { findBarriers } from '../helpers/axe.ts';
import { useWeb } from '../helpers/web.ts';

/** Files in the chat against the service itself, on the demo page. */
const { api, web } = await useWeb();

const hostile = '<img src=x onerror=alert(1)>.png';

test('a visitor sends files once the chat knows them, and an agent and the visitor see them once', async () => {
  const account = await api.createAccount();
  const channel = await aWebchat(api, account);
  const page = await web.open(`/webchat/${channel.id}/demo`, { alone: true });
  const panel = page.getByRole('dialog');
  await page.locator('.launcher').click();
  await panel.locator('textarea').waitFor();
  const attach = panel.getByRole('button', { name: 'Attach files' });
  expect(await attach.isVisible()).toBe(false);
  await panel.locator('textarea').fill('I have a question');
  await panel.locator('textarea').press('Enter');
  await attach.waitFor();

  await panel.locator('input[type=file]').setInputFiles([
    { name: hostile, mimeType: 'image/png', buffer: await aPicture() },
    { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 of a shop') },
    { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
  ]);
  const files = panel.getByRole('list', { name: 'Files to send' });
  await files.getByText('The file is empty').waitFor();
  const send = panel.getByRole('button', { name: 'Send message' });
  expect(await send.isDisabled()).toBe(true);
  await files.getByRole('button', { name: 'Remove: empty.txt' }).click();
  await expect.poll(() => send.isEnabled(), { timeout: 30_000 }).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await send.click();
  await expect.poll(() => files.count()).toBe(0);
  const thread = panel.locator('.message');
  await thread.getByRole('img', { name: '_img src=x onerror=alert(1)_.png' }).waitFor();
  await thread.getByRole('link', { name: /receipt\.pdf/ }).waitFor();
  await panel.getByText(/Sent$/).waitFor();

  const rows = () => api.db<{ text: string; content: { attachments: { type: string; name: string }[] } }[]>`
    select text, content from messages where account_id = ${account.accountId} and content ? 'attachments'`;
  expect(await rows()).toMatchObject([
    { text: '', content: { attachments: [{ type: 'image' }, { type: 'file', name: 'receipt.pdf' }] } },
  ]);
  await page.reload();
  await thread.getByRole('link', { name: /receipt\.pdf/ }).waitFor();
  expect(await thread.getByRole('link', { name: /receipt\.pdf/ }).count()).toBe(1);
});

test('an upload shows how far it is, and a recording of an agent has a player in the chat', async () => {
  const account = await api.createAccount();
  const channel = await aWebchat(api, account);
  const page = await web.open(`/webchat/${channel.id}/demo`, { alone: true });
  const panel = page.getByRole('dialog');
  await page.locator('.launcher').click();
  await panel.locator('textarea').fill('I have a question');
  await panel.locator('textarea').press('Enter');
  await panel.getByRole('button', { name: 'Attach files' }).waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/media?name=*', async (route) => {
    await held.promise;
    await route.continue();
  });
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: await aPicture() };
  await panel.locator('input[type=file]').setInputFiles([photo]);
  const files = panel.getByRole('list', { name: 'Files to send' });
  await files.getByRole('progressbar', { name: 'Uploading …' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await panel.getByRole('button', { name: 'Send message' }).isDisabled()).toBe(true);
  held.resolve();
  await files.getByText(/ kB$/).waitFor();
  await panel.getByRole('button', { name: 'Send message' }).click();
  const image = panel.locator('.message').getByRole('img', { name: 'photo.png' });
  await image.waitFor();
  await expect.poll(() => image.getAttribute('src')).toContain('size=thumbnail');

  const { body: sound } = await api.request<{ id: string }>('POST', '/v1/media?name=note.wav', {
    key: account.apiKey,
    body: aWave(),
    headers: { 'content-type': 'audio/wav' },
  });
  const [{ id: contactId } = { id: '' }] = await api.db<{ id: string }[]>`
    select id from contacts where account_id = ${account.accountId}`;
  const said = await api.request('POST', `/v1/contacts/${showId('contact', contactId)}/messages`, {
    key: account.apiKey,
    body: { text: '', attachments: [{ media_id: sound.id }] },
  });
  expect(said.status).toBe(201);
  const player = panel.locator('audio');
  await player.waitFor();
  await expect.poll(() => player.evaluate((audio: { duration: number }) => audio.duration)).toBeCloseTo(1);
  expect(await findBarriers(page)).toEqual([]);
});

test('files that are pasted or dropped go with the next message, and one can be taken out on its way', async () => {
  const account = await api.createAccount();
  const channel = await aWebchat(api, account);
  const page = await web.open(`/webchat/${channel.id}/demo`, { alone: true, viewport: { width: 360, height: 740 } });
  const panel = page.getByRole('dialog');
  await page.locator('.launcher').click();
  await panel.locator('textarea').fill('I have a question');
  await panel.locator('textarea').press('Enter');
  await panel.getByRole('button', { name: 'Attach files' }).waitFor();
  /** Pastes or drops a file, which no driver of browsers does. */
  const give = (type: 'paste' | 'drop', name: string) =>
    page.evaluate(`(() => {
      const given = new DataTransfer();
      given.items.add(new File(['content'], '${name}'));
      const how = { bubbles: true, cancelable: true, clipboardData: given, dataTransfer: given };
      const field = document.activeElement.shadowRoot.activeElement;
      field.dispatchEvent('${type}' === 'paste' ? new ClipboardEvent('paste', how) : new DragEvent('drop', how));
    })()`);
  await panel.locator('textarea').focus();
  await give('paste', 'pasted.txt');
  await give('drop', 'dropped.txt');
  await give('drop', 'unwanted.txt');
  const files = panel.getByRole('list', { name: 'Files to send' });
  await files.getByRole('button', { name: 'Remove: unwanted.txt' }).click();
  const send = panel.getByRole('button', { name: 'Send message' });
  await expect.poll(() => send.isEnabled(), { timeout: 30_000 }).toBe(true);
  await send.click();
  const thread = panel.locator('.message');
  for (const name of ['pasted.txt', 'dropped.txt'])
    await thread.getByRole('link', { name: new RegExp(name) }).waitFor();
  expect(await thread.getByText('unwanted.txt').count()).toBe(0);
});
