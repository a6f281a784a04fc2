import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { createSession } from '../../../src/shared/accounts/sessions.ts';
import { aColleague } from '../../helpers/states/accounts.ts';
import { startApi } from '../../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import { kindsWithTelegram } from '../../helpers/telegram/kinds.ts';
import { startTelegram } from '../../helpers/telegram/service.ts';
import { findBarriers } from '../helpers/axe.ts';
import { openBuilder } from '../helpers/builder.ts';
import { useWebOf } from '../helpers/web.ts';

const telegram = await startTelegram();
afterAll(() => telegram.close());
const api = await startApi({ channelKinds: kindsWithTelegram(telegram) });
const web = await useWebOf(api, api.stop);

const definition = aFlowDefinition({ triggers: [{ type: 'start_link', payload: 'summer' }] });

test('the form of a start link has the link of each bot, to open and to copy, as one types', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, id, account } = await openBuilder({ api, web }, definition, { permissions });
  const bots = [telegram.addBot(), telegram.addBot()];
  const [first, second] = bots.map(({ username }) => username);
  for (const [index, { token }] of bots.entries()) {
    const body = { type: 'telegram', name: `Bot ${index + 1}`, bot_token: token };
    await api.request('POST', '/v1/channels', { key: account.apiKey, body });
  }
  await page.goto(`${api.url}/flows/${id}?tab=triggers`);
  const links = page.locator('.panel').getByRole('group', { name: 'Links to share' });
  await links.getByText(`https://t.me/${first}?start=summer`).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const open = links.getByRole('link', { name: 'Open Bot 2 in Telegram' });
  expect(await open.getAttribute('href')).toBe(`https://t.me/${second}?start=summer`);
  await links.getByRole('button', { name: 'Copy link to Bot 1' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(`https://t.me/${first}?start=summer`);
  const payload = page.getByLabel('Payload of the link (optional)');
  await payload.fill('ref_42');
  await links.getByText(`https://t.me/${first}?start=ref_42`).waitFor();
  await payload.fill('no payload');
  await links.waitFor({ state: 'detached' });
  await payload.fill('');
  await links.getByText('Replace the payload as you like.').waitFor();
});

test('without a bot the form of a link leads to the channels, where one is connected', async () => {
  const { page, id } = await openBuilder({ api, web }, definition);
  await page.goto(`${api.url}/flows/${id}?tab=triggers`);
  const panel = page.locator('.panel');
  await panel.getByText('Connect a Telegram bot to get the link.').waitFor();
  await panel.getByRole('link', { name: 'Open channels' }).click();
  await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings/channels');
});

test('who cannot edit a flow finds the link among its triggers, at the width of a phone', async () => {
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).createLive(definition);
  const { token, username } = telegram.addBot();
  const body = { type: 'telegram', name: 'Shop', bot_token: token };
  await api.request('POST', '/v1/channels', { key: account.apiKey, body });
  const session = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
  const page = await web.open(`/flows/${id}?tab=triggers`, { session, viewport: { width: 360, height: 740 } });
  await page.getByText(`https://t.me/${username}?start=summer`).first().waitFor();
  const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect(isWider).toBe(false);
});

/** A flow that a link starts, and the bot that the link leads to. */
const openLinks = async (trigger: object, options: Parameters<typeof web.open>[1] = {}) => {
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).create(
    aFlowDefinition({ triggers: [{ type: 'start_link', ...trigger }] }),
  );
  const { token, username } = telegram.addBot();
  const body = { type: 'telegram', name: 'Shop', bot_token: token };
  await api.request('POST', '/v1/channels', { key: account.apiKey, body });
  const page = await web.open('/flows', { session: account.session, ...options });
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.goto(`${api.url}/flows/${id}?tab=triggers`);
  const open = page.getByRole('button', { name: 'Show QR code of the link to Shop' });
  await open.waitFor();
  return { page, username, open, scripts, dialog: page.getByRole('dialog', { name: 'QR code of Shop' }) };
};

/** What a camera reads in a picture, and whether it is white around that. */
const readCode = async (picture: Buffer) => {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const edge = 4 * (Math.floor(height / 2) * width + Math.floor(width / 50));
  return {
    text: decodeQR({ width, height, data }),
    isOnWhite: data.subarray(edge, edge + 4).every((part) => part === 255),
  };
};

const download = async (page: Page, format: string) => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: `Download ${format}` }).click(),
  ]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
};

test('a link is shown as QR code that cameras read in the dark, and downloaded as SVG and PNG', async () => {
  const { page, username, open, scripts, dialog } = await openLinks({ payload: 'summer' }, { colorScheme: 'dark' });
  const url = `https://t.me/${username}?start=summer`;
  const isCode = (script: string) => script.includes('link-code');
  expect(scripts.filter(isCode)).toEqual([]);
  await open.focus();
  await page.keyboard.press('Enter');
  const code = dialog.getByRole('img', { name: `QR code of ${url}` });
  await code.waitFor();
  expect(scripts.some(isCode)).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  expect(await readCode(await code.screenshot())).toEqual({ text: url, isOnWhite: true });
  const files = [await download(page, 'SVG'), await download(page, 'PNG')];
  expect(files.map(({ name }) => name)).toEqual([`${username}-summer.svg`, `${username}-summer.png`]);
  for (const { content } of files) expect(await readCode(content)).toEqual({ text: url, isOnWhite: true });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await open.and(page.locator(':focus')).waitFor();
});

test('a code for other endings of a payload is drawn as one types, and none for a wrong one', async () => {
  const { page, username, open, dialog } = await openLinks(
    { payload: 'table_', match: 'prefix' },
    { viewport: { width: 360, height: 740 } },
  );
  await open.click();
  await dialog.getByLabel('Payload of this code').fill('table_7');
  const code = dialog.getByRole('img', { name: `QR code of https://t.me/${username}?start=table_7` });
  expect((await readCode(await code.screenshot())).text).toBe(`https://t.me/${username}?start=table_7`);
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  await dialog.getByLabel('Payload of this code').fill('chair_7');
  await dialog.getByText('Begins with “table_”').waitFor();
  expect(await dialog.getByRole('img', { name: /^QR code/ }).count()).toBe(0);
});
