import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { readUserAgent } from '../../src/web/pages/profile/read-user-agent.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

test('an agent sees and ends its sessions, chooses its mails, and changes its password, which ends the others', async () => {
  const { accountId } = await api.createAccount();
  const userId = await aColleague(api.db, accountId, 'agent');
  const session = await createSession(api.db, userId);
  const onPhone = {
    address: '192.0.2.7',
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
  };
  const ofPhone = await createSession(api.db, userId, onPhone);
  await createSession(api.db, userId, { ...onPhone, userAgent: '<img src=x onerror=alert(1)>' });
  const isOver = async (token: string) =>
    (await api.request('GET', '/dashboard/api/session', { session: token })).status === 401;

  const page = await web.open('/', { session });
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('menuitem', { name: 'Password, sessions and mails' }).click();
  await page.getByText('Agent: Works with contacts').waitFor();
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Name saved').waitFor();
  await page.getByRole('button', { name: 'You: Grace Hopper' }).waitFor();
  const own = page.getByRole('row', { name: /This session/ });
  await own.waitFor();
  expect(await own.getByRole('button').count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);

  await page
    .getByRole('row', { name: /Safari on iPhone/ })
    .getByRole('button', { name: 'End session' })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'End session' }).click();
  await page.getByRole('row', { name: /Safari on iPhone/ }).waitFor({ state: 'detached' });
  expect([await isOver(ofPhone), await isOver(session)]).toEqual([true, false]);
  await page.getByRole('button', { name: 'End other sessions' }).click();
  await dialog.getByRole('button', { name: 'End other sessions' }).click();
  await page.getByText('One session ended').waitFor();

  const mails = page.getByRole('switch', { name: 'E-mail me about handovers' });
  await mails.check();
  await expect
    .poll(async () => (await api.request('GET', '/dashboard/api/handover-mails', { session })).body)
    .toEqual({ notify_handovers: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findBarriers(page)).toEqual([]);
});

test('a user chooses how conversations notify, and tries each way by a click', async () => {
  const { session, email } = await api.createAccount();
  const read = async () => (await api.request('GET', '/dashboard/api/notification-settings', { session })).body;
  const page = await web.open('/profile', { session, alone: true });
  // A headless browser shows no notifications.
  await page.addInitScript(() => {
    const shown: string[] = [];
    class Recorded extends EventTarget {
      static readonly permission = 'granted';
      constructor(title: string, { body }: { body: string }) {
        super();
        shown.push(`${title}: ${body}`);
      }
    }
    Object.assign(globalThis, { Notification: Recorded, shown });
  });
  await page.reload();
  const section = page.getByRole('region', { name: 'Notifications' });
  await section.getByRole('checkbox', { name: 'All: Sound' }).check();
  await section.getByRole('checkbox', { name: 'Mine: Desktop' }).uncheck();
  await section.getByRole('combobox', { name: 'Unassigned: Mail if unseen' }).click();
  await page.getByRole('option', { name: 'After 10 minutes' }).click();
  await section.getByRole('switch', { name: 'Quiet hours' }).check();
  await section.getByLabel('From', { exact: true }).fill('21:30');
  await section.getByLabel('Until', { exact: true }).fill('21:30');
  await section.getByText('Choose two different times').first().waitFor();
  await section.getByLabel('Until', { exact: true }).fill('06:15');
  await section.getByLabel('Time zone').fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await expect.poll(read).toEqual({
    mine: { sound: true, desktop: false, mail_after_minutes: null },
    unassigned: { sound: true, desktop: true, mail_after_minutes: 10 },
    all: { sound: true, desktop: false, mail_after_minutes: null },
    quiet_hours: { from: '21:30', to: '06:15', time_zone: 'Europe/Berlin' },
  });
  await section.getByRole('button', { name: 'Show notification' }).click();
  expect(await page.evaluate('shown')).toEqual(['Parley: Notifications of waiting conversations look like this.']);
  await section.getByRole('button', { name: 'Try sound' }).click();
  await page.getByText('Sound played').waitFor();
  await section.getByRole('button', { name: 'Send test mail' }).click();
  await page.getByText(`Test mail sent to ${email}`).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findBarriers(page)).toEqual([]);
});

test('a session that is opened or ended elsewhere is told while the page is open', async () => {
  const { session, email, password } = await api.createAccount();
  const signInOn = async (device: string): Promise<string> => {
    const userAgent = `Mozilla/5.0 (${device} OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1`;
    const headers = { origin: api.deps.config.baseUrl, 'user-agent': userAgent };
    const answer = await api.request('POST', '/dashboard/api/session', { body: { email, password }, headers });
    const [, token = expect.fail('no session')] = /=([^;]+)/.exec(String(answer.headers['set-cookie'])) ?? [];
    return token;
  };
  const page = await web.open('/profile', { session });
  const phone = page.getByRole('row', { name: /Safari on iPhone/ });
  await page.getByRole('row', { name: /This session/ }).waitFor();
  const token = await signInOn('iPhone; CPU iPhone');
  await phone.waitFor();
  // The page may have read that by itself when its stream began. This one comes by a hint.
  await signInOn('iPad; CPU');
  await page.getByRole('row', { name: /iPad/ }).waitFor();
  await api.request('DELETE', '/dashboard/api/session', { session: token });
  await expect.poll(() => phone.count()).toBe(0);
});

test('a password is changed with the current one, ends the other sessions, and this page goes on', async () => {
  const { session, email, userId, password } = await api.createAccount();
  const other = await createSession(api.db, userId);
  const page = await web.open('/profile', { session });
  const change = async (current: string): Promise<void> => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill('battery staple');
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await change('not it');
  await page.getByText('is not your password').waitFor();
  await change(password);
  await page.getByText('Password changed.').waitFor();
  await page.reload();
  await page.getByRole('main').getByText(email).waitFor();
  expect((await api.request('GET', '/dashboard/api/session', { session: other })).status).toBe(401);
});

test.for([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge',
    'Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Linux'],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome', 'Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15_6) AppleWebKit/605.1 Version/19.0 Safari/605.1', 'Safari', 'macOS'],
  ['curl/8.15.0', undefined, undefined],
])('%s is told as %s on %s', ([userAgent = '', browser, system]) => {
  expect(readUserAgent(userAgent)).toEqual({ browser, system });
});
