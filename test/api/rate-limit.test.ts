import { expect, test } from 'vitest';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { useApi } from '../helpers/api.ts';
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
