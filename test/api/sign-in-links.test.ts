import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { createLinkToken } from '../../src/shared/users/link-tokens.ts';
import { createSignInLink } from '../../src/shared/users/sign-in-links.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { useSignedOut } from '../helpers/signed-out.ts';
import { ageLinks, forgetSignInLinks } from '../helpers/states/accounts.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';

const api = await useApi({ config: { trustProxy: () => true } });
const { call, signIn, reset, accept } = useSignedOut(api);

const linkFor = async ({ userId }: TestAccount): Promise<string> =>
  (await createSignInLink(api.db, { userId, baseUrl: api.url })) ?? expect.fail('no such user');
const tokenFor = async (account: TestAccount): Promise<string> => new URL(await linkFor(account)).hash.slice(7);
const open = (token: unknown) => call('POST', '/session/link', { token });

const refusal = {
  status: 422,
  body: {
    error: {
      code: 'invalid_request',
      details: [{ path: 'token', message: 'is unknown, used or expired: request another link' }],
    },
  },
};

test('a link signs its user in, as signing in does, and its token stands where no server sees it', async () => {
  const account = await api.createAccount();
  const link = await linkFor(account);
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in#token=[\w-]{43}$/);
  const answer = await open(new URL(link).hash.slice(7));
  expect(answer.status).toBe(200);
  const [, session = ''] =
    /^parley_session=([^;]+); Path=\/; HttpOnly/.exec(String(answer.headers['set-cookie'])) ?? [];
  const seen = await api.request('GET', '/dashboard/api/session', { session });
  expect(seen.body).toEqual(answer.body);
  expect(seen.body).toMatchObject({ user: { id: showId('user', account.userId), email: account.email } });
  expect((await signIn(account.email, account.password)).body).toEqual(answer.body);
});

test('it works once, also for two at the same moment, and for an hour: 422 otherwise, with one answer', async () => {
  const account = await api.createAccount();
  const token = await tokenFor(account);
  const both = await Promise.all([open(token), open(token)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(await open(token)).toMatchObject(refusal);
  const old = await tokenFor(account);
  await ageLinks(api.db, account.userId, { hours: 1 });
  expect(await open(old)).toMatchObject(refusal);
  expect(await open('unknown')).toMatchObject(refusal);
  expect(String((await open(old)).headers['set-cookie'])).toBe('undefined');
});

test('it is no link of another kind: it neither sets a password nor accepts an invitation', async () => {
  const token = await tokenFor(await api.createAccount());
  expect((await reset(token)).status).toBe(422);
  expect((await accept(token)).status).toBe(422);
  expect((await open(token)).status).toBe(200);
});

test('a link that sets a password signs nobody in, and stays good for what it is for', async () => {
  const { userId } = await api.createAccount();
  const token = await createLinkToken(api.db, { kind: 'password_reset', to: userId });
  expect(await open(token)).toMatchObject(refusal);
  expect((await reset(token ?? '')).status).toBe(204);
});

test('a password that is set by a mail makes links worthless, too', async () => {
  const account = await api.createAccount();
  const token = await tokenFor(account);
  const mailed = await createLinkToken(api.db, { kind: 'password_reset', to: account.userId });
  expect((await reset(mailed ?? '')).status).toBe(204);
  expect(await open(token)).toMatchObject(refusal);
});

test('a changed password makes links worthless, also one that is opened at that moment', async () => {
  const account = await api.createAccount();
  const [before, meanwhile] = [await tokenFor(account), await tokenFor(account)];
  const body = { current_password: account.password, new_password: 'battery staple' };
  const opening = await api.db.begin(async (sql) => {
    // The user's row is what a change of the password takes first.
    await sql`select from users where id = ${account.userId} for no key update`;
    const opened = open(meanwhile);
    await untilSomebodyWaits(api.db);
    await forgetSignInLinks(sql, account.userId);
    return { opened };
  });
  expect(await opening.opened).toMatchObject(refusal);
  expect(await open(before)).toMatchObject(refusal);
  const last = await tokenFor(account);
  expect((await api.request('PUT', '/dashboard/api/password', { session: account.session, body })).status).toBe(204);
  expect(await open(last)).toMatchObject(refusal);
});

test('only its hash is stored, and no log line has it', async () => {
  const token = await tokenFor(await api.createAccount());
  const stored = async () => (await api.db<{ row: string }[]>`select t::text as row from link_tokens t`).join();
  expect(await stored()).not.toContain(token);
  await open(token);
  expect(await stored()).not.toContain(Buffer.from(token).toString('hex'));
  expect(api.logged.join()).not.toContain(token);
});

test('a hundred guesses of a network are all that it has, with those of passwords: 429', async () => {
  const account = await api.createAccount();
  const token = await tokenFor(account);
  const guesses = await Promise.all(Array.from({ length: 99 }, (_, index) => open(`guess ${index}`)));
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([422]));
  // A good one takes no try.
  expect((await open(token)).status).toBe(200);
  expect((await signIn('nobody@example.com', 'wrong')).status).toBe(401);
  const refused = await open(await tokenFor(account));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test.for([[{}], [{ token: null }], [{ token: 'x'.repeat(101) }], [{ token: 'x\0' }], [{ token: 'x', more: 1 }], [[]]])(
  'the body %j is refused',
  async ([body]) => {
    expect((await call('POST', '/session/link', body)).status).toBe(422);
  },
);

test("another site's page signs nobody in", async () => {
  const token = await tokenFor(await api.createAccount());
  const answer = await call('POST', '/session/link', { token }, { origin: 'https://evil.example' });
  expect(answer.status).toBe(403);
  expect((await open(token)).status).toBe(200);
});

test('a user has three links at most that are good', async () => {
  const account = await api.createAccount();
  const tokens = [];
  for (let index = 0; index < 4; index += 1) tokens.push(await tokenFor(account));
  const statuses = [];
  for (const token of tokens) statuses.push((await open(token)).status);
  expect(statuses).toEqual([422, 200, 200, 200]);
});
