import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { parseTrustProxy, trustsNobody, type TrustsProxy } from '../../src/shared/platform/trust-proxy.ts';
import { startApi, type TestApi } from '../helpers/api.ts';
import { reportAttack } from './report.ts';

/** One proxy on loopback, which the tests play: `from` is what it says of its client. */
const start = async (trustProxy: TrustsProxy = parseTrustProxy('1')): Promise<TestApi> => {
  const api = await startApi({ config: { trustProxy } });
  onTestFinished(api.stop);
  return api;
};

type Try = { from: string; email: string; password?: string };

const signIn = async (api: TestApi, { from, ...body }: Try): Promise<number> => {
  const headers = { origin: api.deps.config.baseUrl, 'x-forwarded-for': from };
  return (await api.request('POST', '/dashboard/api/session', { body, headers })).status;
};

/** The answers to so many tries at the same time. */
const signInOften = (api: TestApi, times: number, aTry: (index: number) => Try): Promise<number[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => signIn(api, aTry(index))));

const count = (statuses: readonly number[], ...wanted: number[]): number =>
  statuses.filter((status) => wanted.includes(status)).length;

const home = '203.0.113.7';

test('one address has a hundred tries, whomever it tries, and whatever is wrong with them', async () => {
  const api = await start();
  // Without a password that would have to be looked at: what counts is whether it comes so far.
  const statuses = await signInOften(api, 105, (index) => ({ from: home, email: `somebody${index}@example.com` }));
  await reportAttack('guessesOfOneAddress', { tried: 105, through: Math.max(0, count(statuses, 422) - 100) });
  expect(count(statuses, 422)).toBe(100);

  const slash64 = await signInOften(api, 105, (index) => ({ from: `2001:db8::${index}`, email: 'a@example.com' }));
  expect(count(slash64, 422)).toBe(100);
});

test('one user has ten tries, from however many addresses', async () => {
  const api = await start();
  const { email } = await api.createAccount();
  const statuses = await signInOften(api, 60, (index) => ({ from: `198.51.100.${index}`, email, password: 'wrong' }));
  await reportAttack('guessesOfManyAddresses', { tried: 60, through: Math.max(0, count(statuses, 401) - 10) });
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 50]);
});

test('an address that a client writes into X-Forwarded-For itself gives it no further tries', async () => {
  const [alone, proxied] = await Promise.all([start(trustsNobody), start()]);
  const forge = async (api: TestApi, header: (forged: string) => string) => {
    const email = 'somebody@example.com';
    return count(await signInOften(api, 105, (index) => ({ from: header(`198.51.100.${index}`), email })), 422);
  };
  const looked = await Promise.all([
    forge(alone, (forged) => forged),
    // The proxy adds the real one on the right.
    forge(proxied, (forged) => `${forged}, ${home}`),
  ]);
  const through = looked.reduce((sum, tries) => sum + Math.max(0, tries - 100), 0);
  await reportAttack('forgedForwardedFor', { tried: 210, through });
  expect(looked).toEqual([100, 100]);
});

test('spelling an e-mail address in other letters gives no tries of its own', async () => {
  const api = await start();
  const { password } = await api.createAccount({ email: 'nikita.iskandik@example.com' });
  const others = { i: ['İ', 'ı', 'ⅰ', 'i̇'], k: ['\u212A', 'ĸ'] };
  // Each letter that some rule makes an i or a k, in one place and in all.
  const spellings = Object.entries(others).flatMap(([letter, forms]) =>
    forms.flatMap((form) => [
      'nikita.iskandik@example.com'.replace(letter, form),
      'nikita.iskandik@example.com'.replaceAll(letter, form),
    ]),
  );
  const statuses = await signInOften(api, spellings.length, (index) => ({
    from: `198.51.100.${index}`,
    email: spellings[index] ?? '',
    password,
  }));
  await reportAttack('otherLettersInEmail', { tried: spellings.length, through: count(statuses, 200) });

  const cases = ['NIKITA.ISKANDIK@EXAMPLE.COM', 'Nikita.Iskandik@example.com', 'nikita.iskandik@EXAMPLE.com'];
  const email = (index: number) => cases[index % cases.length] ?? '';
  const wrong = await signInOften(api, 30, (index) => ({
    from: `192.0.2.${index}`,
    email: email(index),
    password: 'wrong',
  }));
  expect(count(wrong, 401)).toBe(10);
});

test('whoever guesses elsewhere does not keep a user out of where it signed in before', async () => {
  const api = await start();
  const { email, password } = await api.createAccount();
  expect(await signIn(api, { from: home, email, password })).toBe(200);
  const guesses = await signInOften(api, 40, (index) => ({ from: `198.51.100.${index}`, email, password: 'wrong' }));
  expect(count(guesses, 401)).toBe(10);
  const own = [
    await signIn(api, { from: home, email, password }),
    await signIn(api, { from: home, email, password: 'a slip' }),
    await signIn(api, { from: home, email, password }),
  ];
  await reportAttack('lockedOutOwner', { tried: 40, through: count(own, 429) });
  expect(own).toEqual([200, 401, 200]);
  // Not even the right password is an answer to who guesses; nor is it from an address that is new.
  expect(await signIn(api, { from: '198.51.100.99', email, password })).toBe(429);
  // At the known address there are ten tries, too.
  const there = await signInOften(api, 20, () => ({ from: home, email, password: 'wrong' }));
  expect([count(there, 401), count(there, 429)]).toEqual([10, 10]);
});

test('whoever guesses elsewhere does not keep a user out of where it changed its password', async () => {
  const api = await start();
  const { email, password, session } = await api.createAccount();
  expect(await signIn(api, { from: '192.0.2.1', email, password })).toBe(200);
  const changed = await api.request('PUT', '/dashboard/api/password', {
    session,
    headers: { 'x-forwarded-for': home },
    body: { current_password: password, new_password: 'battery staple' },
  });
  expect(changed.status).toBe(204);
  const guesses = await signInOften(api, 40, (index) => ({ from: `198.51.100.${index}`, email, password: 'wrong' }));
  expect(count(guesses, 401)).toBe(10);
  const own = await signIn(api, { from: home, email, password: 'battery staple' });
  await reportAttack('lockedOutOwnerOfNewPassword', { tried: 40, through: count([own], 429) });
  expect(own).toBe(200);
  // The other networks went with the password before.
  expect(await signIn(api, { from: '192.0.2.1', email, password: 'battery staple' })).toBe(429);
});

test('a right password takes no try: a whole office signs in from one address', async () => {
  const api = await start();
  const { email, password } = await api.createAccount();
  await signInOften(api, 98, () => ({ from: home, email }));
  const office = await signInOften(api, 2, () => ({ from: home, email, password }));
  for (let index = 0; index < 6; index += 1) office.push(await signIn(api, { from: home, email, password }));
  expect(count(office, 200)).toBe(8);
});

test('a flood of sign-ins leaves threads to others, a bounded queue, and the known user its turn', async () => {
  const api = await start();
  const { email, password } = await api.createAccount();
  expect(await signIn(api, { from: home, email, password })).toBe(200);
  const over = new AbortController();
  const sinceMs = performance.now();
  const flood = signInOften(api, 120, (index) => ({
    from: `198.51.100.${index}`,
    email: `somebody${index}@example.com`,
    password: 'wrong',
  })).finally(() => over.abort());
  const waits: number[] = [];
  const reading = (async () => {
    while (!over.signal.aborted) {
      const since = performance.now();
      await readFile(new URL(import.meta.url));
      waits.push(performance.now() - since);
    }
  })();
  const known = await signIn(api, { from: home, email, password });
  const stillFlooding = !over.signal.aborted;
  const statuses = await flood;
  const floodMs = performance.now() - sinceMs;
  await reading;
  // Who gets no thread before the sign-ins that wait gets one when most of them are over.
  const slow = waits.filter((wait) => wait > floodMs / 4).length;
  await reportAttack('signInFlood', {
    tried: statuses.length,
    through: slow + (known === 200 && stillFlooding ? 0 : 1),
    note: `${count(statuses, 503)} told to try again`,
  });
  expect(count(statuses, 401, 503)).toBe(120);
  expect(count(statuses, 503)).toBeGreaterThan(40);
});

test('a user that signs in again and again, from many addresses where it is known, keeps no other known user out', async () => {
  const api = await start();
  const [restless, other] = [await api.createAccount(), await api.createAccount()];
  const signInAs = ({ email, password }: typeof other, from: string) => signIn(api, { from, email, password });
  const addresses = Array.from({ length: 8 }, (_, index) => `198.51.100.${index}`);
  for (const from of addresses) expect(await signInAs(restless, from)).toBe(200);
  expect(await signInAs(other, home)).toBe(200);
  const flood = addresses.flatMap((from) => Array.from({ length: 10 }, () => signInAs(restless, from)));
  const statuses = await Promise.all(Array.from({ length: 3 }, () => signInAs(other, home)));
  const told = count(await Promise.all(flood), 503);
  await reportAttack('signInCrowd', {
    tried: flood.length,
    through: statuses.length - count(statuses, 200),
    note: `${told} told to try again`,
  });
});
