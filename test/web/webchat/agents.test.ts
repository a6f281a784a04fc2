import { expect, test } from 'vitest';
import { anIdentity, aVisitor, aWebchat } from '../../helpers/webchat/visitor.ts';
import { findBarriers } from '../helpers/axe.ts';
import { useWeb } from '../helpers/web.ts';

const { api, web } = await useWeb();

const attack = (name: string): string => `<img src=x onerror="window.hacked='${name}'">`;

test('what a visitor writes and calls themselves runs nothing in an agent’s page, and is marked as not verified', async () => {
  const account = await api.createAccount();
  const channel = await aWebchat(api, account, { name: attack('channel') });
  const visitor = aVisitor(api, channel);
  const email = `"${attack('email').replaceAll(' ', '')}"@example.com`;
  await visitor.identify({ ...anIdentity(channel.secret, attack('identity')), name: attack('name'), email });
  const context = {
    url: `https://shop.example/?q=${attack('url')}`,
    title: attack('title'),
    referrer: 'javascript:window.hacked="referrer"',
    language: attack('language'),
    time_zone: attack('zone'),
  };
  await visitor.say(attack('text'), { context });
  const { conversation } = await visitor.read();
  const page = await web.open(`/inbox/${conversation?.id}`, {
    session: account.session,
    viewport: { width: 1440, height: 900 },
  });
  const facts = page.getByRole('region', { name: 'Visitor' });
  await facts.getByText(attack('identity')).waitFor();
  await facts.getByText(attack('name')).waitFor();
  expect(await facts.getByText('not verified').count()).toBe(3);
  expect(await facts.getByRole('link').getAttribute('href')).toMatch(/^https:\/\/shop\.example\/\?q=%3Cimg/);
  await page.getByRole('log', { name: 'Messages' }).getByText(attack('text')).waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${api.url}/conversations`);
  await page.getByText(attack('text')).first().waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(web.complaints()).toEqual([]);
});
