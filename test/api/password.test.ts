import { expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';

const api = await useApi();

const change = (session: string, current: string, next: string) =>
  api.request('PUT', '/dashboard/api/password', { session, body: { current_password: current, new_password: next } });

const signIn = async (email: string, password: string): Promise<number> => {
  const headers = { origin: api.url };
  return (await api.request('POST', '/dashboard/api/session', { body: { email, password }, headers })).status;
};

test('a user changes its password with the one before; from then on only the new one signs in', async () => {
  const { email, password, session } = await api.createAccount();
  expect((await change(session, password, 'battery staple')).status).toBe(204);
  expect([await signIn(email, password), await signIn(email, 'battery staple')]).toEqual([401, 200]);
});

test('a wrong current password changes nothing, and a short new one is refused', async () => {
  const { email, password, session } = await api.createAccount();
  const wrong = await change(session, 'wrong', 'battery staple');
  expect(wrong).toMatchObject({ status: 422, body: { error: { details: [{ path: 'current_password' }] } } });
  expect(await change(session, password, 'short')).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'new_password' }] } },
  });
  expect(await signIn(email, password)).toBe(200);
});

test('ten tries in a quarter of an hour, and no more, also for who has the session', async () => {
  const { password, session } = await api.createAccount();
  const guesses = [];
  for (let index = 0; index < 10; index += 1) guesses.push((await change(session, 'wrong', 'battery staple')).status);
  expect(new Set(guesses)).toEqual(new Set([422]));
  const refused = await change(session, password, 'battery staple');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test('an API key has no password to change, and another page does not change it', async () => {
  const { apiKey, session, email, password } = await api.createAccount();
  const body = { current_password: password, new_password: 'battery staple' };
  expect((await api.request('PUT', '/dashboard/api/password', { key: apiKey, body })).status).toBe(403);
  const headers = { origin: 'https://evil.example' };
  expect((await api.request('PUT', '/dashboard/api/password', { session, body, headers })).status).toBe(403);
  expect(await signIn(email, password)).toBe(200);
});
