import { expect, test } from 'vitest';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { setRole } from '../helpers/states/accounts.ts';

const api = await useApi();

const show = ({ session }: TestAccount) =>
  api.request<{ secret: string }>('GET', '/dashboard/api/webhook-secret', { session });
const rotate = ({ session }: TestAccount) =>
  api.request<{ secret: string }>('POST', '/dashboard/api/webhook-secret/rotate', { session });

test('the webhook secret is shown, and after a rotation the new one is, to this account alone', async () => {
  const [mine, other] = [await api.createAccount(), await api.createAccount()];
  const [before, others] = [await show(mine), await show(other)];
  expect(before.body).toEqual({ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
  const rotated = await rotate(mine);
  expect(rotated).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^whsec_/) } });
  expect(rotated.body.secret).not.toBe(before.body.secret);
  expect((await show(mine)).body).toEqual(rotated.body);
  expect((await show(other)).body).toEqual(others.body);
});

test('the webhook secret is in no log line and not in the database in clear', async () => {
  const account = await api.createAccount();
  const { secret } = (await rotate(account)).body;
  const [row] = await api.db`select webhook_secret from accounts where id = ${account.accountId}`;
  expect(row?.['webhookSecret'].toString('latin1')).not.toContain(secret.slice(6));
  expect(api.logged.join()).not.toContain(secret);
});

test('an agent neither sees nor rotates it, and an API key does not reach it', async () => {
  const account = await api.createAccount();
  await setRole(api.db, account.userId, 'agent');
  expect((await show(account)).status).toBe(403);
  expect((await rotate(account)).status).toBe(403);
  expect((await api.request('GET', '/v1/webhook-secret', { key: account.apiKey })).status).toBe(404);
});
