import { expect, onTestFinished, test } from 'vitest';
import { changePassword } from '../../src/shared/accounts/change-password.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { hashPassword } from '../../src/shared/platform/secrets/passwords.ts';
import { startApi, type ApiOptions, type TestApi } from '../helpers/api.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { reportAttack } from './report.ts';

const start = async (config?: ApiOptions['config']): Promise<TestApi> => {
  const api = await startApi({ ...(config && { config }) });
  onTestFinished(api.stop);
  return api;
};

const isOpen = async (api: TestApi, session: string): Promise<boolean> =>
  (await api.request('GET', '/dashboard/api/channels', { session })).status === 200;

test('after a change of the password no session of before is worth anything, not even a copy of the one that changed it', async () => {
  const api = await start();
  const { session, userId, password } = await api.createAccount();
  const stolen = [session, await createSession(api.db, userId), await createSession(api.db, userId)];
  const body = { current_password: password, new_password: 'battery staple' };
  const { headers } = await api.request('PUT', '/dashboard/api/password', { session, body });
  const open = await Promise.all(stolen.map((token) => isOpen(api, token)));
  await reportAttack('stolenSession', { tried: stolen.length, through: open.filter(Boolean).length });
  const [, renewed = ''] = /^parley_session=([^;]+)/.exec(String(headers['set-cookie'])) ?? [];
  expect(await isOpen(api, renewed)).toBe(true);
});

test('a sign-in that was proved with the old password opens no session after the change', async () => {
  const api = await start();
  const { email, password, userId } = await api.createAccount();
  const passwordHash = await hashPassword('battery staple');
  const proved = Promise.withResolvers<void>();
  const changing = api.deps.transact(async (tx) => {
    await changePassword(tx, { userId, passwordHash });
    await proved.promise;
  });
  const headers = { origin: api.url };
  const signingIn = api.request('POST', '/dashboard/api/session', { body: { email, password }, headers });
  await untilSomebodyWaits(api.db);
  proved.resolve();
  await changing;
  expect((await signingIn).status).toBe(401);
  const sessions = await api.db`select from sessions where user_id = ${userId}`;
  await reportAttack('lateSignIn', { tried: 1, through: sessions.length });
});

test('under https a cookie that another host of the domain could plant is not read', async () => {
  const url = 'https://parley.example.com';
  const api = await start({ baseUrl: url, apiUrl: url });
  const { session } = await api.createAccount();
  const names = ['parley_session', '__host-parley_session', '__Secure-parley_session'];
  const answers = await Promise.all(
    names.map((name) => api.request('GET', '/dashboard/api/channels', { headers: { cookie: `${name}=${session}` } })),
  );
  await reportAttack('plantedCookie', {
    tried: names.length,
    through: answers.filter(({ status }) => status === 200).length,
  });
  expect(await isOpen(api, session)).toBe(true);
});
