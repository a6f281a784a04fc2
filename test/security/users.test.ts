import { beforeEach, expect, test } from 'vitest';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { createToken } from '../../src/shared/platform/secrets/tokens.ts';
import type { EventTransaction } from '../../src/shared/facts/tell.ts';
import { changeUser, removeUser } from '../../src/shared/users/manage.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { useMails } from '../helpers/mails.ts';
import { useSignedOut } from '../helpers/signed-out.ts';
import { aColleague, ageLinks, ageMails, setRole } from '../helpers/states/accounts.ts';
import { reportAttack } from './report.ts';

const api = await useApi({ config: { trustProxy: () => true } });
const mails = await useMails(api);
const { call, signIn, forgot, reset, accept, moveOn } = useSignedOut(api);
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body = unknown>(session: string, method: string, path: string, body?: object) =>
  api.request<Body>(method, `/dashboard/api${path}`, { session, body });
/** Somebody is invited; the invitation's UUID and the token of its mail. */
const invited = async (email = `${newUuid()}@example.com`) => {
  const { body } = await as<{ id: string }>(account.session, 'POST', '/users', { email, role: 'owner' });
  return { id: readId('invitation', body.id), token: await mails.deliverToken() };
};
const resetToken = async (): Promise<string> => {
  await ageMails(api.db, account.accountId, { minutes: 6 });
  await forgot(account.email);
  return mails.deliverToken();
};

/** Makes a request that waits for a transaction to end, and answers it. */
const duringTransaction = async (
  work: (tx: EventTransaction) => Promise<unknown>,
  request: () => Promise<{ status: number }>,
): Promise<{ status: number }> => {
  const [done, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = api.deps.transact(async (tx) => {
    await work(tx);
    done.resolve();
    await end.promise;
  });
  await done.promise;
  const waiting = request();
  await untilSomebodyWaits(api.db);
  end.resolve();
  await transaction;
  return waiting;
};

/** How many of these were not answered so. */
const countOther = (answers: readonly { status: number }[], expected: number): number =>
  answers.filter(({ status }) => status !== expected).length;

test('a token is not guessed, nor good in another form, for another kind of link, or more often than a hundred times', async () => {
  const [token, { token: invitation }] = [await resetToken(), await invited()];
  const near = [token.slice(0, -1), `${token} `, token.toLowerCase(), `${token}=`, '%', "' or ''='", '', invitation];
  const guesses = [...near, ...Array.from({ length: 91 }, () => createToken(''))];
  const answers = [...(await Promise.all(guesses.map((guess) => reset(guess)))), await accept(token)];
  const beyond = await Promise.all([reset(token), accept(invitation)]);
  await reportAttack('guessedTokens', {
    tried: answers.length + beyond.length,
    through: countOther(answers, 422) + countOther(beyond, 429),
  });
  moveOn();
  expect([(await accept(invitation)).status, (await reset(token)).status]).toEqual([200, 204]);
});

test('a token that was used, is too old, or was withdrawn is worth nothing', async () => {
  const [accepted, late, withdrawn] = [await invited(), await invited(), await invited()];
  expect((await accept(accepted.token)).status).toBe(200);
  await ageLinks(api.db, late.id, { hours: 7 * 24 });
  await as(account.session, 'DELETE', `/invitations/${showId('invitation', withdrawn.id)}`);
  const used = await resetToken();
  expect((await reset(used)).status).toBe(204);
  const old = await resetToken();
  await ageLinks(api.db, account.userId, { hours: 1 });
  const answers = await Promise.all([
    ...[used, old].map((token) => reset(token)),
    ...[accepted, late, withdrawn].map(({ token }) => accept(token)),
  ]);
  await reportAttack('spentTokens', { tried: answers.length, through: countOther(answers, 422) });
});

test('neither a forgotten password nor an invitation tells whose an e-mail address is, not even by time', async () => {
  const other = await api.createAccount();
  const seen: string[] = [];
  let early = 0;
  for (const email of [account.email, other.email, 'nobody@example.com', 'nobody']) {
    const since = performance.now();
    const { status, text, headers } = await forgot(email);
    // The answer waits for the same moment, whatever is done until then.
    if (performance.now() - since < 245) early += 1;
    const { date: _date, 'x-request-id': _id, ...told } = headers;
    seen.push(JSON.stringify({ status, text, told }));
  }
  for (const email of [other.email, `${newUuid()}@example.com`]) {
    const { status } = await as(account.session, 'POST', '/users', { email, role: 'agent' });
    if (status !== 201) early += 1;
  }
  await reportAttack('toldUsers', { tried: 6, through: new Set(seen).size - 1 + early });
  expect(seen).toHaveLength(4);
});

test('nobody becomes an owner or reaches what is the owner’s, but by an owner of the account', async () => {
  const victim = `/users/${showId('user', account.userId)}`;
  const stranger = await api.createAccount();
  const demoted = await aColleague(api.db, account.accountId, 'owner');
  const [agent, editor] = [
    await aColleague(api.db, account.accountId, 'agent'),
    await aColleague(api.db, account.accountId, 'editor'),
  ];
  const askers = await Promise.all(
    [agent, editor, demoted].map(async (id) => ({ id, session: await createSession(api.db, id) })),
  );
  await setRole(api.db, demoted, 'editor');
  const { id: invitation } = await invited();
  const invitations = `/invitations/${showId('invitation', invitation)}`;
  const reaches = (session: string, self: string): Promise<{ status: number }>[] => [
    as(session, 'PATCH', self, { role: 'owner' }),
    as(session, 'PATCH', victim, { role: 'agent' }),
    as(session, 'DELETE', victim),
    as(session, 'POST', `${invitations}/resend`),
    as(session, 'DELETE', invitations),
  ];
  const ownersOnly = (session: string): Promise<{ status: number }>[] => [
    as(session, 'POST', '/users', { email: 'evil@example.com', role: 'owner' }),
    as(session, 'GET', '/invitations'),
    as(session, 'GET', '/api-keys'),
    as(session, 'POST', '/api-keys', { name: 'mine' }),
    as(session, 'GET', '/webhook-secret'),
    as(session, 'POST', '/webhook-secret/rotate'),
  ];
  const inside = await Promise.all(
    askers.flatMap(({ id, session }) => [...reaches(session, `/users/${showId('user', id)}`), ...ownersOnly(session)]),
  );
  const outside = await Promise.all(reaches(stranger.session, `/users/${showId('user', agent)}`));
  // An owner who is demoted while its own request is under way.
  const late = await aColleague(api.db, account.accountId, 'owner');
  const session = await createSession(api.db, late);
  const waiting = await duringTransaction(
    (tx) => changeUser(tx, { accountId: account.accountId, by: account.userId, id: late, role: 'agent' }),
    () => as(session, 'DELETE', victim),
  );
  await reportAttack('seizedAccounts', {
    tried: inside.length + outside.length + 1,
    through: countOther([...inside, waiting], 403) + countOther(outside, 404),
  });
  const rows = await api.db<{ id: string }[]>`
    select id from users where account_id = ${account.accountId} and role = 'owner'`;
  expect(rows.map(({ id }) => id)).toEqual([account.userId]);
});

test('a user who is removed is out at once: with every session, and with a sign-in that was proved before', async () => {
  const { id, token } = await invited('grace@example.com');
  expect(id).not.toBe('');
  const accepted = await accept(token);
  const [, first = ''] = /^parley_session=([^;]+)/.exec(String(accepted.headers['set-cookie'])) ?? [];
  const { body } = await as<{ data: { id: string; email: string }[] }>(account.session, 'GET', '/users');
  const userId = readId('user', body.data.find(({ email }) => email === 'grace@example.com')?.id ?? '');
  const sessions = [first, await createSession(api.db, userId), await createSession(api.db, userId)];
  const waiting = await duringTransaction(
    (tx) => removeUser(tx, { accountId: account.accountId, by: account.userId, id: userId }),
    () => signIn('grace@example.com', 'battery staple'),
  );
  const answers = [waiting, ...(await Promise.all(sessions.map((session) => as(session, 'GET', '/users'))))];
  await reportAttack('removedUsers', { tried: answers.length, through: countOther(answers, 401) });
});

test('neither a name nor an address nor a header of a request reaches the head of a mail, or its link', async () => {
  const names = [
    'Acme\r\nBcc: evil@example.com',
    'Acme\nTo: evil@example.com\n\nbody',
    'Acme\u2028Bcc: evil@example.com',
    '=?utf-8?q?Acme=0D=0ABcc:_evil@example.com?=',
    'Acme\r\n.\r\nMAIL FROM:<evil@example.com>',
  ];
  let through = 0;
  for (const name of names) {
    const { userId } = await createAccount(
      { sql: api.db, secrets: api.deps.secrets },
      { name, email: `${newUuid()}@example.com`, plan: 'pro', password: 'correct horse' },
    );
    const session = await createSession(api.db, userId);
    await as(session, 'POST', '/users', { email: 'grace@example.com', role: 'agent' });
    const [mail, ...more] = await mails.deliver();
    const [head = ''] = mail?.source.split('\r\n\r\n') ?? [];
    const recipients = head.split('\r\n').filter((line) => /^(to|cc|bcc|from):/i.test(line));
    if (more.length > 0 || mail?.to !== 'grace@example.com' || recipients.length !== 2) through += 1;
  }
  const addresses = [
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example>,<c@d.example',
    '"a\r\n"@b.example',
    'a@b.example\0',
  ];
  for (const email of addresses) {
    const { status } = await as(account.session, 'POST', '/users', { email, role: 'agent' });
    if (status !== 422) through += 1;
  }
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
  await call('POST', '/password-reset', { email: account.email }, headers);
  const [mail] = await mails.deliver();
  if (mail?.link !== `${api.url}/reset-password`) through += 1;
  await reportAttack('forgedMails', { tried: names.length + addresses.length + 1, through });
  expect(through).toBe(0);
});
