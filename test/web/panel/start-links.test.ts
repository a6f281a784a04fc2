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
