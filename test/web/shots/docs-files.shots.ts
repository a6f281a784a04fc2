import sharp from 'sharp';
import { expect, test } from 'vitest';
import { aWave } from '../../helpers/files.ts';
import { aWebchat } from '../../helpers/webchat/visitor.ts';
import { log } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';
import { followLoading } from '../helpers/settled.ts';
import { mostBytes, take } from './take.ts';

/** The pictures of files, as a visitor and an agent send them. */
const { live, web } = await useLiveWeb();
const { api } = live;

const lamp = (shade: string) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600">
      <rect width="900" height="600" fill="#efe6da"/><rect y="470" width="900" height="130" fill="#d9c7b0"/>
      <path d="M360 120h180l80 170H280z" fill="${shade}"/><path d="M440 290h20v170h-20z" fill="#5b4636"/>
      <ellipse cx="450" cy="470" rx="110" ry="22" fill="#5b4636"/></svg>`),
  )
    .png()
    .toBuffer();

// Once files are looked into, this process decodes no SVG.
const [broken, whole] = await Promise.all([lamp('#c8553d'), lamp('#e0a458')]);
const aPdf = Buffer.from(`%PDF-1.4 ${'of a shop '.repeat(4_000)}`);

test('webchat-files and inbox-files', async () => {
  const account = await api.createAccount();
  const { session } = account;
  await api.request('PATCH', '/dashboard/api/account', { session, body: { name: 'Little & Good' } });
  await api.request('PATCH', '/dashboard/api/profile', { session, body: { name: 'Grace Hopper' } });
  const channel = await aWebchat(api, account, { title: 'Little & Good', greeting: 'Hi! How can we help?' });

  const shop = await web.open(`/webchat/${channel.id}/demo`, { alone: true, viewport: { width: 900, height: 760 } });
  const panel = shop.getByRole('dialog');
  await shop.locator('.launcher').click();
  await panel.locator('textarea').fill('My lamp hums, and its shade came loose.');
  await panel.locator('textarea').press('Enter');
  await panel.getByRole('button', { name: 'Attach files' }).waitFor();
  const choose = async (...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
    await panel.locator('input[type=file]').setInputFiles(files);
    const send = panel.getByRole('button', { name: 'Send message' });
    await expect.poll(() => send.isEnabled()).toBe(true);
    return send;
  };
  const send = await choose(
    { name: 'lamp.png', mimeType: 'image/png', buffer: broken },
    { name: 'hum.wav', mimeType: 'audio/wav', buffer: aWave() },
  );
  await send.click();
  await panel.locator('audio').waitFor();
  await panel.getByText(/Sent$/).waitFor();
  await choose({ name: 'receipt-1042.pdf', mimeType: 'application/pdf', buffer: aPdf });
  await panel.locator('.message img').evaluate((image: { decode: () => Promise<void> }) => image.decode());
  expect(await take(shop, 'webchat-files')).toBeLessThan(mostBytes);
  await panel.getByRole('button', { name: 'Send message' }).click();
  await panel.getByRole('link', { name: /receipt-1042/ }).waitFor();

  const page = await web.open('/inbox', { session, alone: true, viewport: { width: 1280, height: 860 } });
  const { settled } = followLoading(page);
  await page.locator('.inbox-row').click();
  await page.getByRole('textbox', { name: /^Reply to/ }).fill('Sorry to hear that. A new one leaves today:');
  await page.locator('input[type=file]').setInputFiles([
    { name: 'new-lamp.png', mimeType: 'image/png', buffer: whole },
    { name: 'return-label.pdf', mimeType: 'application/pdf', buffer: aPdf },
  ]);
  await expect.poll(() => page.locator('.composer-files li[data-state=ready]').count()).toBe(2);
  await log(page).getByRole('link', { name: 'receipt-1042.pdf' }).waitFor();
  await page.mouse.move(0, 0);
  await settled();
  expect(await take(page, 'inbox-files')).toBeLessThan(mostBytes);
});
