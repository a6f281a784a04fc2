import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';

const api = await useApi();

test('accounts/me tells in full whose token it is: id, name, e-mail, plan, limits, time zone, and since when', async () => {
  const [paying, free] = [
    await api.createAccount({ email: 'Ada@example.com' }),
    await api.createAccount({ plan: 'free' }),
  ];
  const me = (key: string) => api.request('GET', '/api/accounts/me', { headers: { 'x-access-token': key } });
  expect((await me(paying.apiKey)).body).toEqual({
    id: showId('account', paying.accountId),
    name: 'Acme',
    email: 'ada@example.com',
    plan: 'pro',
    webhooks_allowed: true,
    time_zone: 'UTC',
    default_country: null,
    strict_fields: false,
    created_at: expect.stringMatching(/Z$/),
    limits: { requests_per_minute: api.deps.config.rateLimitPerMinute, webhooks: 100, users: 200 },
  });
  expect((await me(free.apiKey)).body).toMatchObject({
    plan: 'free',
    webhooks_allowed: false,
    limits: { webhooks: 0 },
  });
});

test('time zone and strict_fields are UTC and false at first, set behind both doors, and told by accounts/me', async () => {
  const { apiKey: key, session } = await api.createAccount();
  const read = async () => (await api.request('GET', '/v1/account', { key })).body;
  expect(await read()).toMatchObject({ time_zone: 'UTC', strict_fields: false });
  const changed = await api.request('PATCH', '/v1/account', { key, body: { time_zone: 'europe/berlin' } });
  expect(changed).toMatchObject({ status: 200, body: { time_zone: 'Europe/Berlin', strict_fields: false } });
  await api.request('PATCH', '/dashboard/api/account', { session, body: { strict_fields: true } });
  expect(await read()).toEqual({ ...(changed.body as object), strict_fields: true });
  expect((await api.request('GET', '/dashboard/api/account', { session })).body).toEqual(await read());
  expect((await api.request('GET', '/api/accounts/me', { headers: { 'x-access-token': key } })).body).toEqual(
    await read(),
  );
});

test('its name is changed behind both doors, without the spaces around it, and told to its users', async () => {
  const { apiKey: key, session } = await api.createAccount();
  const changed = await api.request('PATCH', '/v1/account', { key, body: { name: ' Shirts & Co ' } });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Shirts & Co', time_zone: 'UTC' } });
  await api.request('PATCH', '/dashboard/api/account', { session, body: { name: 'Hats & Co' } });
  expect((await api.request('GET', '/v1/account', { key })).body).toMatchObject({ name: 'Hats & Co' });
  expect((await api.request('GET', '/dashboard/api/session', { session })).body).toMatchObject({
    account: { name: 'Hats & Co' },
  });
});

test.for([
  ['a made-up time zone', { time_zone: 'Europe/Atlantis' }],
  ['no time zone', { time_zone: null }],
  ['a text for strict_fields', { strict_fields: 'yes' }],
  ['another plan', { plan: 'business' }],
  ['no name', { name: ' ' }],
] as const)('%s is 422, and changes nothing', async ([, body]) => {
  const { apiKey: key } = await api.createAccount();
  expect(
    (await api.request('PATCH', '/v1/account', { key, body: { time_zone: 'Europe/Berlin', ...body } })).status,
  ).toBe(422);
  expect((await api.request('GET', '/v1/account', { key })).body).toMatchObject({
    time_zone: 'UTC',
    strict_fields: false,
  });
});
