import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { TestAccount } from '../../helpers/api.ts';
import { aPicture } from '../../helpers/files.ts';
import { aVisitor, aWebchat, type TestWebchat } from '../../helpers/webchat/visitor.ts';
import { findBarriers } from '../helpers/axe.ts';
import { useWeb } from '../helpers/web.ts';

/** What the service refuses, told in the words of the channel: visitors do not all read English. */
const { api, web } = await useWeb();

const texts = {
  language: 'de',
  too_large: 'Zu groß',
  wrong_type: 'Diese Art geht nicht',
  empty_file: 'Die Datei ist leer',
  upload_failed: 'Nicht hochgeladen',
  failed: 'Nicht gesendet',
  too_many: 'Zu viele Nachrichten auf einmal',
  sign_in: 'Bitte melde dich an',
  question_over: 'Diese Frage ist vorbei',
  offline: 'Du bist offline',
};

let account: TestAccount;
let channel: TestWebchat;
let page: Page;
let panel: Locator;

/** A visitor who has written once. */
beforeEach(async () => {
  account = await api.createAccount();
  channel = await aWebchat(api, account, { texts });
  page = await web.open(`/webchat/${channel.id}/demo`, { alone: true });
  panel = page.getByRole('dialog');
  await page.locator('.launcher').click();
  await write('Guten Tag');
  await panel.getByText(/Sent$/).waitFor();
});

const write = async (text: string): Promise<void> => {
  await panel.locator('textarea').fill(text);
  await panel.locator('textarea').press('Enter');
};

const attach = (name: string, buffer: Buffer): Promise<void> =>
  panel.locator('input[type=file]').setInputFiles([{ name, mimeType: 'application/octet-stream', buffer }]);

const refuse = (path: string, status: number, error: object = {}): Promise<unknown> =>
  page.route(path, (route) =>
    route.fulfill({ status, json: { error: { code: 'invalid_request', message: 'In English.', ...error } } }),
  );

test('a file that is refused says why beside it, in the texts of the channel', async () => {
  const picture = await aPicture();
  await attach('empty.txt', Buffer.alloc(0));
  await panel.getByText('Die Datei ist leer').waitFor();
  await attach('film.mp4', Buffer.alloc(17 * 1024 * 1024));
  await panel.getByText('Zu groß').waitFor();
  // The service alone knows that this is an image.
  await attach('photo', Buffer.concat([picture, Buffer.alloc(11 * 1024 * 1024)]));
  await expect.poll(() => panel.getByText('Zu groß').count()).toBe(2);
  await refuse('**/media?name=tool.exe', 415);
  await attach('tool.exe', picture);
  await panel.getByText('Diese Art geht nicht').waitFor();
  await refuse('**/media?name=full.txt', 409);
  await attach('full.txt', picture);
  await panel.getByText('Nicht hochgeladen').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await panel.textContent()).not.toMatch(/English|MiB|The file/);
});

test('a visitor who sends too much in a minute is told so, in the texts of the channel', async () => {
  const token = await page.evaluate<string>(`localStorage.getItem('parley-webchat:${channel.id}:token')`);
  const visitor = aVisitor(api, channel);
  visitor.token = token;
  let status = 0;
  while (status !== 429) ({ status } = await visitor.say('Noch etwas'));
  await attach('photo.png', await aPicture());
  await panel.getByText('Zu viele Nachrichten auf einmal').waitFor();
  expect(await panel.textContent()).not.toMatch(/too fast|moment/);
});

test('a message that is refused says why below it, in the texts of the channel, also after a reload', async () => {
  await refuse('**/messages', 422, { details: [{ path: 'choice', message: 'belongs to a question that is over' }] });
  await write('Größe 42');
  await panel.getByText('Diese Frage ist vorbei').waitFor();
  await page.unroute('**/messages');
  await refuse('**/messages', 422);
  await write('Etwas anderes');
  await panel.getByText('Nicht gesendet').waitFor();
  await page.unroute('**/messages');
  const { apiKey: key } = account;
  const changed = await api.request('PATCH', `/v1/channels/${channel.id}`, { key, body: { require_identity: true } });
  expect(changed.status).toBe(200);
  await write('Und noch etwas');
  await panel.getByText('Bitte melde dich an').waitFor();
  await page.reload();
  for (const said of ['Diese Frage ist vorbei', 'Nicht gesendet', 'Bitte melde dich an'])
    await panel.getByText(said).waitFor();
  expect(await panel.textContent()).not.toMatch(/English|whom the site/);
});

test('a visitor without a connection is told so, in the texts of the channel', async () => {
  await page.context().setOffline(true);
  await panel.getByText('Du bist offline').waitFor();
  await page.context().setOffline(false);
  await expect.poll(() => panel.getByText('Du bist offline').count()).toBe(0);
});
