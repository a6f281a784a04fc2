import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import type { Role } from '../../src/shared/accounts/schema.ts';
import { showId } from '../../src/shared/ids.ts';
import { useMails } from '../helpers/mails.ts';
import { aColleague, ageMails, setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();
const mails = await useMails(api);

test('an owner invites, sends the mail again, withdraws, changes a role and removes a user, and stays an owner', async () => {
  const account = await api.createAccount({ email: `ada.lovelace.${randomBytes(8).toString('hex')}@example.com` });
  const { session, accountId } = account;
  const agentId = await aColleague(api.db, accountId, 'agent');
  const agent = `${agentId}@example.com`;
  const grace = `grace.hopper.${randomBytes(8).toString('hex')}@example.com`;
  const page = await web.open('/settings/users', { session });
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Invite a user' }).click();
  await dialog.getByLabel('E-mail').fill(account.email);
  await dialog.getByRole('radio', { name: 'Editor' }).check();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await dialog.getByText('This is a user of the account already.').waitFor();
  await dialog.getByLabel('E-mail').fill(`G${grace.slice(1)}`);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  const invited = page.getByRole('row', { name: grace });
  await invited.getByText('Editor').waitFor();
  // Beside long addresses, too, its actions are in sight.
  const { x, width } = (await invited.getByRole('button', { name: 'Withdraw' }).boundingBox()) ?? { x: 0, width: 0 };
  expect(x + width).toBeGreaterThan(0);
  expect(x + width).toBeLessThan(1_245);
  await mails.deliverToken();
  await ageMails(api.db, accountId, { minutes: 6 });
  await invited.getByRole('button', { name: 'Send again' }).click();
  await page.getByText(`Sent again: ${grace}`).waitFor();
  expect(await mails.deliver()).toMatchObject([{ to: grace }]);
  expect(await findBarriers(page)).toEqual([]);
  await invited.getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('heading', { name: 'Nobody is invited' }).waitFor();

  const own = page.getByRole('row', { name: account.email });
  await own.getByText('You', { exact: true }).waitFor();
  await own.getByRole('button', { name: 'Change role' }).click();
  await dialog.getByRole('radio', { name: 'Agent' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Make another user an owner first.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const other = page.getByRole('row', { name: agent });
  await other.getByRole('button', { name: 'Change role' }).click();
  await dialog.getByRole('radio', { name: 'Editor' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Editor').waitFor();
  await other.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('have nobody from then on').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await other.waitFor({ state: 'detached' });
  await own.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alert').getByText('Make another user an owner first.').waitFor();
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/dashboard/api/users', { session });
  expect(body.data.map(({ id }) => id)).toEqual([showId('user', account.userId)]);
});

test('a page that is open shows who is invited meanwhile, and who accepts', async () => {
  const { session, accountId } = await api.createAccount();
  const page = await web.open('/settings/users', { session });
  await page.getByRole('heading', { name: 'Nobody is invited' }).waitFor();
  const email = `${accountId}@example.com`;
  const row = page.getByRole('row', { name: new RegExp(`^${email}`) });
  const call = (path: string, body: object, as: { session?: string } = {}) =>
    api.request('POST', `/dashboard/api${path}`, { ...as, body, headers: { origin: api.url } });
  expect((await call('/users', { email, role: 'agent' }, { session })).status).toBe(201);
  await row.getByRole('button', { name: 'Withdraw' }).waitFor();
  const token = await mails.deliverToken();
  expect((await call('/invitations/accept', { token, password: 'battery staple' })).status).toBe(200);
  await page.getByRole('heading', { name: 'Nobody is invited' }).waitFor();
  await row.getByRole('button', { name: 'Change role' }).waitFor();
});

test.for<Role>(['editor', 'agent'])(
  'an %s sees who the others are and when they were last seen, and no buttons',
  async (role) => {
    const { session, accountId, email } = await api.createAccount();
    const userId = await aColleague(api.db, accountId, role);
    const page = await web.open('/settings/users', {
      session: await createSession(api.db, userId),
      colorScheme: 'dark',
    });
    const owner = page.getByRole('row', { name: email });
    await owner.getByText(/second|minute|now/).waitFor();
    expect(await page.getByRole('button', { name: /Invite|Change role|Remove/ }).count()).toBe(0);
    expect(await page.getByText('Invitations').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect((await api.request('GET', '/dashboard/api/session', { session })).status).toBe(200);
  },
);

test('an owner who gives the own role up loses the buttons at once', async () => {
  const { session, accountId, userId, email } = await api.createAccount();
  await setRole(api.db, await aColleague(api.db, accountId, 'agent'), 'owner');
  const page = await web.open('/settings/users', { session });
  await page.getByRole('row', { name: email }).getByRole('button', { name: 'Change role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Agent' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Invite a user' }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: email }).getByText('Agent').waitFor();
  const [user] = await api.db`select role from users where id = ${userId}`;
  expect(user).toEqual({ role: 'agent' });
});
