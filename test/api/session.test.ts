import { expect, test } from 'vitest';
import { describeInstallation } from '../../src/api/installation.ts';
import { showId } from '../../src/shared/ids.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import { type Outgoing, startApi, type TestApi, useApi } from '../helpers/api.ts';
import { expireSessions, movePlan, setRole } from '../helpers/states/accounts.ts';

const api = await useApi();

const signIn = (body: object, { headers = {} }: Outgoing = {}, at: TestApi = api) =>
  at.request<{ user: object; error: { code: string; message: string } }>('POST', '/dashboard/api/session', {
    body,
    headers: { origin: at.deps.config.baseUrl, ...headers },
  });

const cookieOf = ({ headers }: { headers: Record<string, string | string[] | undefined> }): string =>
  [headers['set-cookie']].flat().join();

const tokenOf = (answer: Parameters<typeof cookieOf>[0]): string =>
  /^parley_session=([^;]*)/.exec(cookieOf(answer))?.[1] ?? '';

const listsKeys = async (session: string): Promise<number> =>
  (await api.request('GET', '/dashboard/api/api-keys', { session })).status;

test('signing in answers who one is, and its cookie opens the dashboard', async () => {
  const { email, password } = await api.createAccount();
  const answer = await signIn({ email, password });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      user: { id: expect.stringMatching(/^usr_/), email, name: null, role: 'owner' },
      account: { id: expect.stringMatching(/^acc_/), name: 'Acme', plan: 'pro' },
    },
  });
  expect(answer.text).not.toContain(tokenOf(answer));
  expect(await listsKeys(tokenOf(answer))).toBe(200);
});

test('who is signed in, the account and the installation are told by GET as by signing in, and nothing that is secret', async () => {
  const { email, password, session, userId, accountId } = await api.createAccount();
  const answer = await api.request('GET', '/dashboard/api/session', { session });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    user: { id: showId('user', userId), email, name: null, role: 'owner' },
    account: { id: showId('account', accountId), name: 'Acme', plan: 'pro', webhooks_allowed: true },
    installation: {
      base_url: api.url,
      api_url: api.url,
      temporal_ui_url: 'http://temporal.example',
      temporal_workflows_url: 'http://temporal.example/namespaces/default/workflows',
      retention_days: 90,
      private_addresses_allowed: false,
      private_ca_trusted: false,
      sends_mail: false,
      test_endpoint: false,
    },
  });
  expect((await signIn({ email, password })).body).toEqual(answer.body);
});

test('what the operator allows is told without its values', () => {
  const settings = parseConfig({
    RETENTION_DAYS: '30',
    SMTP_URL: 'smtp://parley:secret@mail.internal',
    EGRESS_ALLOW: '10.0.0.0/8',
    API_URL: 'https://api.example.com',
  });
  const facts = describeInstallation(settings, {
    temporalUiUrl: undefined,
    workflowsUrl: undefined,
    hasTestEndpoint: false,
  });
  expect(facts).toEqual({
    base_url: 'http://localhost:8080',
    api_url: 'https://api.example.com',
    temporal_ui_url: null,
    temporal_workflows_url: null,
    retention_days: 30,
    private_addresses_allowed: true,
    private_ca_trusted: false,
    sends_mail: true,
    test_endpoint: false,
  });
});

test('a plan without webhooks, a changed role and an ended session show with the next request', async () => {
  const { session, userId, accountId } = await api.createAccount({ plan: 'free' });
  const see = () => api.request('GET', '/dashboard/api/session', { session });
  expect((await see()).body).toMatchObject({ user: { role: 'owner' }, account: { webhooks_allowed: false } });
  await movePlan(api.db, accountId, 'business');
  await setRole(api.db, userId, 'agent');
  expect((await see()).body).toMatchObject({
    user: { role: 'agent' },
    account: { plan: 'business', webhooks_allowed: true },
  });
  await expireSessions(api.db, userId);
  expect(await see()).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
});

test('the cookie is HttpOnly, SameSite=Lax, for the whole host, and lasts 14 days', async () => {
  const { email, password } = await api.createAccount();
  const attributes = cookieOf(await signIn({ email, password }))
    .split('; ')
    .slice(1);
  expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=1209600', 'Path=/', 'SameSite=Lax']);
});

test('where base_url is https the cookie is Secure and for this host alone, and the Origin must be that one', async () => {
  const secure = await startApi({
    config: { baseUrl: 'https://parley.example.com', apiUrl: 'https://parley.example.com' },
  });
  try {
    const { email, password } = await secure.createAccount();
    const answer = await signIn({ email, password }, {}, secure);
    expect(cookieOf(answer)).toMatch(/^__Host-parley_session=[^;]{20,}; Path=\/; .*; Secure$/);
    const [, token = ''] = /=([^;]*)/.exec(cookieOf(answer)) ?? [];
    expect((await secure.request('GET', '/dashboard/api/sessions', { session: token })).status).toBe(200);
    const foreign = await signIn({ email, password }, { headers: { origin: 'http://parley.example.com' } }, secure);
    expect(foreign.status).toBe(403);
  } finally {
    await secure.stop();
  }
});

test('the token is stored as a hash only', async () => {
  const { email, password, userId } = await api.createAccount();
  const token = tokenOf(await signIn({ email, password }));
  const rows = await api.db`select s::text as row from sessions s where user_id = ${userId}`;
  expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from(token).toString('hex'));
  expect(rows.map(({ row }) => row).join()).not.toContain(token);
});

test('an unknown e-mail address and a wrong password get the same answer', async () => {
  const { email } = await api.createAccount();
  const [wrong, unknown] = [
    await signIn({ email, password: 'wrong' }),
    await signIn({ email: 'nobody@example.com', password: 'wrong' }),
  ];
  expect(wrong.status).toBe(401);
  expect(unknown.status).toBe(401);
  expect(wrong.body.error.message).toBe(unknown.body.error.message);
  expect(cookieOf(wrong)).toBe('');
});

test.each([
  ['no Origin', ''],
  ["another site's Origin", 'https://evil.example'],
  ['the Origin null', 'null'],
])('signing in with %s is refused, and makes no session', async (_what, origin) => {
  const { email, password, userId } = await api.createAccount();
  const before = await api.db`select 1 from sessions where user_id = ${userId}`;
  const answer = await signIn({ email, password }, { headers: { origin } });
  expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(await api.db`select 1 from sessions where user_id = ${userId}`).toHaveLength(before.length);
});

test('signing out ends this session, takes the cookie back, and leaves the others alone', async () => {
  const { email, password, session } = await api.createAccount();
  const token = tokenOf(await signIn({ email, password }));
  const answer = await api.request('DELETE', '/dashboard/api/session', { session: token });
  expect(answer.status).toBe(204);
  expect(cookieOf(answer)).toMatch(/^parley_session=;.*Max-Age=0/);
  expect(await listsKeys(token)).toBe(401);
  expect(await listsKeys(session)).toBe(200);
});

test('after ten wrong passwords a user takes none for a while, not even the right one: 429 with Retry-After', async () => {
  const { email, password } = await api.createAccount();
  const guesses = await Promise.all(Array.from({ length: 10 }, () => signIn({ email, password: 'wrong' })));
  expect(guesses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 401));
  const refused = await signIn({ email: email.toUpperCase(), password });
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);

  const other = await api.createAccount();
  expect((await signIn({ email: other.email, password: other.password })).status).toBe(200);
});

test('where a user signs in, a right password clears the count of wrong ones', async () => {
  const { email, password } = await api.createAccount();
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 7 }, () => signIn({ email, password: 'wrong' })));
    expect((await signIn({ email, password })).status).toBe(200);
  }
});

test('one address has a hundred tries, whichever accounts it tries', async () => {
  const own = await startApi();
  try {
    const { email, password } = await own.createAccount();
    const guess = (index: number) => signIn({ email: `nobody${index}@example.com` }, {}, own);
    const guesses = await Promise.all(Array.from({ length: 100 }, (_, index) => guess(index)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([422]));
    expect((await signIn({ email, password }, {}, own)).status).toBe(429);
  } finally {
    await own.stop();
  }
});

test('a session is no API key and an API key no session', async () => {
  const { session, apiKey } = await api.createAccount();
  expect((await api.request('GET', '/v1/webhooks', { session })).status).toBe(401);
  expect((await api.request('GET', '/v1/webhooks', { key: session })).status).toBe(401);
  expect((await api.request('GET', '/dashboard/api/webhooks', { key: apiKey })).status).toBe(401);
});

test('signing out without a session is 401, as everything of the dashboard is', async () => {
  const answer = await api.request('DELETE', '/dashboard/api/session', {
    headers: { origin: api.deps.config.baseUrl },
  });
  expect(answer.status).toBe(401);
});
