import { beforeEach, describe, expect, test } from 'vitest';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { useMails } from '../helpers/mails.ts';
import { useSignedOut } from '../helpers/signed-out.ts';
import { ageLinks, ageMails } from '../helpers/states/accounts.ts';

const api = await useApi({ config: { trustProxy: () => true } });
const mails = await useMails(api);
const { call, reset, ...signedOut } = useSignedOut(api);
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const forgot = (email = account.email) => signedOut.forgot(email);
const signIn = async (password: string) => (await signedOut.signIn(account.email, password)).status;
const isOpen = async () =>
  (await api.request('GET', '/dashboard/api/sessions', { session: account.session })).status === 200;

test('who has forgotten the password sets a new one by the link of a mail, which ends all sessions', async () => {
  expect((await forgot(account.email.toUpperCase())).status).toBe(204);
  const [mail, ...more] = await mails.deliver();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: account.email, link: `${api.url}/reset-password` });
  expect(await isOpen()).toBe(true);
  const answer = await reset(mail?.token ?? '');
  expect([answer.status, answer.headers['set-cookie']]).toEqual([204, undefined]);
  expect(await isOpen()).toBe(false);
  expect([await signIn(account.password), await signIn('battery staple')]).toEqual([401, 200]);
});

test('the link works once, and every other that was sent is worth nothing then', async () => {
  await forgot();
  const first = await mails.deliverToken();
  await ageMails(api.db, account.accountId, { minutes: 6 });
  await forgot();
  const second = await mails.deliverToken();
  const both = await Promise.all([reset(first), reset(first)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 422]);
  const late = await reset(second, 'another one');
  expect([late.status, late.body.error.details]).toEqual([
    422,
    [{ path: 'token', message: 'is unknown, used or expired: request another mail', code: 'invalid' }],
  ]);
  expect(await signIn('battery staple')).toBe(200);
});

test('a link is worth nothing after an hour, and after the password was changed otherwise', async () => {
  await forgot();
  const old = await mails.deliverToken();
  await ageLinks(api.db, account.userId, { hours: 1 });
  expect((await reset(old)).status).toBe(422);
  await ageMails(api.db, account.accountId, { minutes: 6 });
  await forgot();
  const token = await mails.deliverToken();
  const body = { current_password: account.password, new_password: 'known again' };
  await api.request('PUT', '/dashboard/api/password', { session: account.session, body });
  expect((await reset(token)).status).toBe(422);
  expect(await signIn('known again')).toBe(200);
});

test('a user gets one mail in five minutes, however often it is asked for at the same time', async () => {
  const statuses = await Promise.all([forgot(), forgot(), forgot()]);
  expect(statuses.map(({ status }) => status)).toEqual([204, 204, 204]);
  expect(await mails.deliver()).toHaveLength(1);
});

test('five mails may be asked for an e-mail address, and twenty by a network, in a quarter of an hour: 429', async () => {
  const ofOne = await Promise.all(Array.from({ length: 7 }, () => forgot('Nobody@example.com')));
  expect(ofOne.filter(({ status }) => status === 429)).toHaveLength(2);
  const ofMany = await Promise.all(Array.from({ length: 20 }, (_, index) => forgot(`nobody${index}@example.com`)));
  expect(ofMany.filter(({ status }) => status === 429)).toHaveLength(7);
  expect(Number(ofMany.find(({ status }) => status === 429)?.headers['retry-after'])).toBeGreaterThan(0);
});

describe('bad input', () => {
  test.for([
    [{}],
    [{ email: null }],
    [{ email: 7 }],
    [{ email: ['a@b.example'] }],
    [{ email: `${'a'.repeat(10_000)}@b.example` }],
    [{ email: 'a\0@b.example' }],
    [{ email: 'a@b.example', token: 'x' }],
    ['{"email":"\\ud800"}'],
    ['{"cut'],
    [[]],
  ])('%j asks for no mail', async ([body]) => {
    expect([400, 422]).toContain((await call('POST', '/password-reset', body)).status);
  });

  test.for([
    [{}],
    [{ token: 'x' }],
    [{ new_password: 'battery staple' }],
    [{ token: null, new_password: 'battery staple' }],
    [{ token: 'x\0', new_password: 'battery staple' }],
    [{ token: 'x'.repeat(10_000), new_password: 'battery staple' }],
  ])('%j sets no password', async ([body]) => {
    expect((await call('PUT', '/password-reset', body)).status).toBe(422);
  });

  test.for([['short'], ['x'.repeat(201)], ['half \ud800 a pair'], ['a NUL \0 in it']])(
    'the password %j is refused, and the link stays good',
    async ([password = '']) => {
      await forgot();
      const token = await mails.deliverToken();
      expect((await reset(token, password)).status).toBe(422);
      expect((await reset(token)).status).toBe(204);
    },
  );

  test('an e-mail address that is none gets the answer of an unknown one', async () => {
    for (const email of ['', 'x', 'a@b.example\r\nBcc: c@d.example']) expect((await forgot(email)).status).toBe(204);
    expect(await mails.deliver()).toEqual([]);
  });
});
