import { expect, test } from 'vitest';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { untold } from '../helpers/untold.ts';

const api = await useApi({ config: { rateLimitPerMinute: 3 } });

test('an account has its budget, over all its keys and both hosts, and is told what is left of it', async () => {
  const account = await api.createAccount();
  const other = await createApiKey(untold(api.db), account.accountId, 'second');
  const first = await api.request('GET', '/v1/contacts', { key: account.apiKey });
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
  expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
  expect(Number(first.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
  const missing = await api.request('GET', '/v1/nowhere', { key: other.value });
  expect(missing).toMatchObject({ status: 404, headers: { 'ratelimit-remaining': '1' } });
  await api.request('GET', '/api/accounts/me', { headers: { 'x-access-token': account.apiKey } });

  const refused = await api.request('GET', '/v1/contacts', { key: account.apiKey });
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ error: { code: 'rate_limited' } });
  expect(refused.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '0' });
  expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);

  const stranger = await api.createAccount();
  expect((await api.request('GET', '/v1/contacts', { key: stranger.apiKey })).status).toBe(200);
});

const shared = await useApi({ config: { rateLimitPerMinute: 30 } });

type Refused = { error: { code: string; message: string } };

/** Sends 40 requests of a user at once, none of which waits for a connection to lists, and answers those that were refused. */
const flood = async (session: string) => {
  const asked = Array.from({ length: 40 }, () => shared.request<Refused>('GET', '/dashboard/api/account', { session }));
  return (await Promise.all(asked)).filter(({ status }) => status !== 200);
};

test('a user who floods is refused at half of the budget, and colleagues and API keys go on', async () => {
  const account = await shared.createAccount();
  const colleagueSession = async () =>
    createSession(shared.db, await aColleague(shared.db, account.accountId, 'agent'));
  const refused = await flood(account.session);
  expect(refused).toHaveLength(25);
  for (const { status, headers, body } of refused) {
    expect(status).toBe(429);
    expect(body.error).toMatchObject({
      code: 'rate_limited',
      message: "Your share of the account's 30 requests of this minute is used up.",
    });
    expect(headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' });
    expect(headers['retry-after']).toBe(headers['ratelimit-reset']);
  }
  const session = await colleagueSession();
  const served = await shared.request('GET', '/dashboard/api/contacts', { session });
  expect(served).toMatchObject({ status: 200, headers: { 'ratelimit-remaining': '7' } });
  expect(await shared.request('GET', '/v1/contacts', { key: account.apiKey })).toMatchObject({ status: 200 });

  // Nor does another one who floods take the rest, of which there is some for the next.
  expect((await flood(session)).map(({ status }) => status)).toEqual(Array.from({ length: 33 }, () => 429));
  const next = { session: await colleagueSession() };
  expect(await shared.request('GET', '/dashboard/api/contacts', next)).toMatchObject({ status: 200 });
});

test('a list that is more than the share of its user is refused, and takes nothing', async () => {
  const { session } = await shared.createAccount();
  const ids = Array.from({ length: 16 }, () => showId('conversation', newUuid()));
  const refused = await shared.request<Refused>('POST', '/dashboard/api/bulk/conversations/close', {
    session,
    body: { ids },
  });
  expect(refused.body.error.message).toBe(
    "The list needs 15 more, and 14 of your share of the account's 30 requests of this minute are left.",
  );
  const after = await shared.request('GET', '/dashboard/api/contacts', { session });
  expect(after).toMatchObject({ status: 200, headers: { 'ratelimit-remaining': '13' } });
});
