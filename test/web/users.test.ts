import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import type { Role } from '../../src/shared/accounts/schema.ts';
import { showId } from '../../src/shared/ids.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { startApi } from '../helpers/api.ts';
import { useMails } from '../helpers/mails.ts';
import { aColleague, ageMails, setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb, useWebOf } from './helpers/web.ts';

const { api, web } = await useWeb();
const mails = await useMails(api);
const mailing = await startApi({ sendsMail: true });
const mailingWeb = await useWebOf(mailing, mailing.stop);
const mailed = await useMails(mailing);

test('an owner invites, withdraws, changes a name and a role, removes a user, and stays an owner', async () => {
  const account = await api.createAccount({ email: `ada.lovelace.${randomBytes(8).toString('hex')}@example.com` });
  const { session, accountId } = account;
  const agentId = await aColleague(api.db, accountId, 'agent');
  const agent = `${agentId}@example.com`;
  const grace = `grace.hopper.${randomBytes(8).toString('hex')}@example.com`;
  const page = await web.open('/settings/users', { session });
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Invite user' }).click();
  await dialog.getByLabel('E-mail').fill(account.email);
  await dialog.getByRole('radio', { name: 'Editor' }).check();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByText('This address belongs to a user of the account.').waitFor();
  await dialog.getByLabel('E-mail').fill(`G${grace.slice(1)}`);
  await dialog.getByLabel('Name (optional)').fill('Grace');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const invited = page.getByRole('row', { name: grace });
  await invited.getByText('Editor').waitFor();
  // Beside long addresses, too, its actions are in sight.
  const { x, width } = (await invited.getByRole('button', { name: 'Withdraw' }).boundingBox()) ?? { x: 0, width: 0 };
  expect(x + width).toBeGreaterThan(0);
  expect(x + width).toBeLessThan(1_245);
  await mails.deliverToken();
  await invited.getByText('Not mailed').waitFor();
  await invited.getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('heading', { name: 'No open invitations' }).waitFor();

  const own = page.getByRole('row', { name: account.email });
  await own.getByText('You', { exact: true }).waitFor();
  await own.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('radio', { name: 'Agent' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Make another user an owner first.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const other = page.getByRole('row', { name: agent });
  await other.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Name').fill('Hedy Lamarr');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('radio', { name: 'Editor' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Editor').waitFor();
  await other.getByText('Hedy Lamarr').waitFor();
  await other.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('become unassigned').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await other.waitFor({ state: 'detached' });
  await own.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alert').getByText('Make another user an owner first.').waitFor();
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/dashboard/api/users', { session });
  expect(body.data.map(({ id }) => id)).toEqual([showId('user', account.userId)]);
});

test('an invitation says whether its mail is being sent, was sent or was refused, and is sent again', async () => {
  const { session, accountId } = await mailing.createAccount();
  const page = await mailingWeb.open('/settings/users', { session });
  const dialog = page.getByRole('dialog');
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  await page.getByRole('button', { name: 'Invite user' }).click();
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const row = page.getByRole('row', { name: email });
  await row.getByText('Sending…').waitFor();
  mailed.server.refuse(email, 550);
  await mailed.deliver();
  await page.reload();
  await row.getByText('Failed', { exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await ageMails(mailing.db, accountId, { minutes: 6 });
  await row.getByRole('button', { name: 'Send again' }).click();
  await page.getByText(`Sent again: ${email}`).waitFor();
  expect(await mailed.deliver()).toMatchObject([{ to: email }]);
  await page.reload();
  await row.getByText('Sent', { exact: true }).waitFor();
  expect(await row.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
});

test('an owner without a mail server copies a link that is shown once, and makes another one later', async () => {
  const { session } = await api.createAccount();
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const body = { email, name: 'Grace Hopper', role: 'agent' };
  await api.request('POST', '/dashboard/api/users', { session, body });
  const page = await web.open('/settings/users', { session });
  const row = page.getByRole('row', { name: 'Grace Hopper' });
  const dialog = page.getByRole('dialog');
  const links: string[] = [];
  for (const _ of [1, 2]) {
    await row.getByRole('button', { name: 'Copy link' }).click();
    const link = dialog.getByText(/\/invitation#[\w-]{43}$/);
    links.push((await link.textContent()) ?? '');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await link.waitFor({ state: 'detached' });
  }
  expect(new Set(links).size).toBe(2);
  expect(await page.content()).not.toContain(links[0]);
  const invited = await web.open(String(links[0]?.slice(api.url.length)));
  await invited.getByText('You are invited to “Acme” with the role Agent.').waitFor();
  expect(await invited.getByLabel('Your name').inputValue()).toBe('Grace Hopper');
});

test('names stand for users where they are: in the menu, in lists, and to choose from', async () => {
  const { session, apiKey: key, accountId } = await api.createAccount();
  const grace = await createSession(api.db, await aColleague(api.db, accountId, 'agent'));
  for (const [who, name] of [
    [session, 'Ada Lovelace'],
    [grace, 'Grace Hopper'],
  ] as const)
    await api.request('PATCH', '/dashboard/api/profile', { session: who, body: { name } });
  const { body: users } = await api.request<{ data: { id: string; name: string }[] }>('GET', '/dashboard/api/users', {
    session,
  });
  const { body: channel } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  await api.request('POST', `/v1/channels/${channel.id}/inbound`, { key, body: anInboundMessage() });
  const { body: conversations } = await api.request<{ data: { id: string }[] }>('GET', '/v1/conversations', { key });
  const conversation = `/v1/conversations/${conversations.data[0]?.id}`;
  const assigned_to = users.data.find(({ name }) => name === 'Grace Hopper')?.id;
  await api.request('PATCH', conversation, { key, body: { assigned_to } });

  const page = await web.open('/conversations', { session });
  await page.getByRole('cell', { name: 'Grace Hopper' }).waitFor();
  await page.getByRole('combobox', { name: 'Assigned to' }).click();
  await page.getByRole('option', { name: 'Grace Hopper' }).waitFor();
  expect(await page.getByText('@example.com').count()).toBe(0);
  await page.goto(`${api.url}/settings/users`);
  await page.getByRole('row', { name: 'Grace Hopper' }).getByText('@example.com').waitFor();
});

test('a page that is open shows who is invited meanwhile, and who accepts', async () => {
  const { session, accountId } = await api.createAccount();
  const page = await web.open('/settings/users', { session });
  await page.getByRole('heading', { name: 'No open invitations' }).waitFor();
  const email = `${accountId}@example.com`;
  const row = page.getByRole('row', { name: new RegExp(`^${email}`) });
  const call = (path: string, body: object, as: { session?: string } = {}) =>
    api.request('POST', `/dashboard/api${path}`, { ...as, body, headers: { origin: api.url } });
  expect((await call('/users', { email, role: 'agent' }, { session })).status).toBe(201);
  await row.getByRole('button', { name: 'Withdraw' }).waitFor();
  const token = await mails.deliverToken();
  expect((await call('/invitations/accept', { token, password: 'battery staple' })).status).toBe(200);
  await page.getByRole('heading', { name: 'No open invitations' }).waitFor();
  await row.getByRole('button', { name: 'Edit' }).waitFor();
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
    await owner
      .getByText(/second|minute|now/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /Invite|Edit|Remove/ }).count()).toBe(0);
    expect(await page.getByText('Invitations').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect((await api.request('GET', '/dashboard/api/session', { session })).status).toBe(200);
  },
);

test('an owner who gives the own role up loses the buttons at once', async () => {
  const { session, accountId, userId, email } = await api.createAccount();
  await setRole(api.db, await aColleague(api.db, accountId, 'agent'), 'owner');
  const page = await web.open('/settings/users', { session });
  await page.getByRole('row', { name: email }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Agent' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Invite user' }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: email }).getByText('Agent').waitFor();
  const [user] = await api.db`select role from users where id = ${userId}`;
  expect(user).toEqual({ role: 'agent' });
});
