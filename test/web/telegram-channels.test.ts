import { afterAll, expect, test } from 'vitest';
import { kindsWithTelegram } from '../helpers/telegram/kinds.ts';
import { startTelegram } from '../helpers/telegram/service.ts';
import { findBarriers } from './helpers/axe.ts';
import { startApi } from '../helpers/api.ts';
import { useWebOf } from './helpers/web.ts';

const telegram = await startTelegram();
afterAll(() => telegram.close());
const api = await startApi({ channelKinds: kindsWithTelegram(telegram) });
const web = await useWebOf(api, api.stop);

test('by pages alone a Telegram bot is connected, shown with its link, and gets another token', async () => {
  const bot = telegram.addBot();
  const { session } = await api.createAccount();
  const page = await web.open('/settings/channels', { session });
  await page.getByRole('button', { name: 'Create channel' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Telegram bot' }).check();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Our bot');
  const token = dialog.getByLabel('Bot token');
  await token.fill('hello');
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await dialog.getByText(/^must look like/).waitFor();
  await token.fill(`1:${'x'.repeat(35)}`);
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await dialog.getByText(/^is refused by Telegram/).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await token.fill(bot.token);
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await page.getByRole('heading', { name: 'Our bot', level: 1 }).waitFor();
  const link = page.getByRole('link', { name: 'Open in Telegram' });
  expect(await link.getAttribute('href')).toBe(`https://t.me/${bot.username}`);
  await page.getByText(`Bot ${bot.id} (@${bot.username})`).waitFor();
  expect(await page.getByRole('button', { name: 'Rotate secret' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);

  const renewed = telegram.renewToken(bot);
  await page.getByRole('button', { name: 'Edit channel' }).click();
  await dialog.getByLabel('Bot token').fill(renewed);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(telegram.calls().at(-1)).toMatchObject({ method: 'setWebhook', bot: { token: renewed } });
  expect(await page.content()).not.toContain(renewed);
  await page.getByRole('link', { name: 'Channels' }).first().click();
  await page.getByRole('cell', { name: `@${bot.username}` }).waitFor();
});
