import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { ageSessions, refuseToEndSessions } from '../helpers/states/accounts.ts';

const api = await useApi();

type Entry = { id: string; is_current: boolean; address: string; user_agent: string; last_used_at: string };

const list = async (session: string): Promise<Entry[]> => {
  const { body } = await api.request<{ data: Entry[] }>('GET', '/dashboard/api/sessions', { session });
  return body.data;
};

const statusOf = async (session: string): Promise<number> =>
  (await api.request('GET', '/dashboard/api/channels', { session })).status;

/** Ages every session of the account. */
const unusedFor = ({ userId }: Pick<TestAccount, 'userId'>, days: number) =>
  ageSessions(api.db, userId, { minutes: days * 24 * 60 });

test('a user sees its own sessions, newest first: when and where each was used, and which one asks', async () => {
  const [{ email, password, session, userId }] = [await api.createAccount(), await api.createAccount()];
  const headers = { origin: api.url, 'user-agent': `Browser\t1 ${'x'.repeat(300)}` };
  await api.request('POST', '/dashboard/api/session', { body: { email, password }, headers });
  expect(await list(session)).toEqual([
    {
      id: expect.stringMatching(/^ses_/),
      is_current: false,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      address: '127.0.0.1',
      user_agent: `Browser 1 ${'x'.repeat(190)}`,
    },
    expect.objectContaining({ is_current: true }),
  ]);
  const { text } = await api.request('GET', '/dashboard/api/sessions', { session });
  expect(text).not.toContain(session);
  const rows = await api.db`select encode(token_hash, 'hex') as hash from sessions where user_id = ${userId}`;
  for (const { hash } of rows) expect(text).not.toContain(hash);
});

test('a use is noted with where it comes from, at most once a minute', async () => {
  const account = await api.createAccount();
  await ageSessions(api.db, account.userId, { minutes: 2 });
  const use = (agent: string) =>
    api.request('GET', '/dashboard/api/channels', { session: account.session, headers: { 'user-agent': agent } });
  await use('first');
  await use('second');
  expect(await list(account.session)).toMatchObject([{ user_agent: 'first', address: '127.0.0.1' }]);
});

test('a session that nobody used for three days is over; one that is used lasts', async () => {
  const account = await api.createAccount();
  await unusedFor(account, 2);
  expect(await statusOf(account.session)).toBe(200);
  await unusedFor(account, 2);
  expect(await statusOf(account.session)).toBe(200);
  await unusedFor(account, 3);
  expect(await statusOf(account.session)).toBe(401);
  const other = await createSession(api.db, account.userId);
  expect(await list(other)).toHaveLength(1);
});

test('a session that is over is not listed, although its row is there still', async () => {
  const account = await api.createAccount();
  await unusedFor(account, 3);
  const session = await createSession(api.db, account.userId);
  // Opening it has cleared away the first.
  const unused = await createSession(api.db, account.userId);
  const [listed] = (await list(session)).filter(({ is_current: isCurrent }) => !isCurrent);
  await ageSessions(api.db, readId('session', listed?.id ?? ''), { minutes: 3 * 24 * 60 });
  expect(await statusOf(unused)).toBe(401);
  expect(await list(session)).toMatchObject([{ is_current: true }]);
});

test('one session is ended by its id, with the next request; the others go on', async () => {
  const { session, userId } = await api.createAccount();
  const lost = await createSession(api.db, userId);
  const entry = (await list(session)).find(({ is_current: isCurrent }) => !isCurrent);
  const end = () => api.request('DELETE', `/dashboard/api/sessions/${entry?.id}`, { session });
  expect((await end()).status).toBe(204);
  expect([await statusOf(lost), await statusOf(session)]).toEqual([401, 200]);
  expect((await end()).status).toBe(404);
});

test('all other sessions are ended at once, and the answer says how many', async () => {
  const { session, userId } = await api.createAccount();
  const others = [await createSession(api.db, userId), await createSession(api.db, userId)];
  const answer = await api.request('DELETE', '/dashboard/api/sessions', { session });
  expect(answer).toMatchObject({ status: 200, body: { ended: 2 } });
  for (const other of others) expect(await statusOf(other)).toBe(401);
  expect(await statusOf(session)).toBe(200);
});

test('signing out everywhere ends the own session, too, and takes its cookie back', async () => {
  const { session, userId } = await api.createAccount();
  const other = await createSession(api.db, userId);
  const answer = await api.request('DELETE', '/dashboard/api/sessions?which=all', { session });
  expect(answer).toMatchObject({ status: 200, body: { ended: 2 } });
  expect(String(answer.headers['set-cookie'])).toMatch(/^parley_session=; .*Max-Age=0/);
  for (const ended of [session, other]) expect(await statusOf(ended)).toBe(401);
});

test('signing out that fails takes no cookie back: the sessions live on, and the browser shows so', async () => {
  const { session } = await api.createAccount();
  onTestFinished(await refuseToEndSessions(api.db));
  for (const path of ['/sessions?which=all', '/session']) {
    const answer = await api.request('DELETE', `/dashboard/api${path}`, { session });
    expect([path, answer.status, answer.headers['set-cookie']]).toEqual([path, 503, undefined]);
  }
  expect(await statusOf(session)).toBe(200);
});

test("another user's session is not ended, nor one that does not exist: 404", async () => {
  const [mine, other] = [await api.createAccount(), await api.createAccount()];
  const [entry] = await list(other.session);
  for (const id of [entry?.id, showId('session', newUuid()), 'x']) {
    const answer = await api.request('DELETE', `/dashboard/api/sessions/${id}`, { session: mine.session });
    expect(answer.status).toBe(404);
  }
  await api.request('DELETE', '/dashboard/api/sessions', { session: mine.session });
  expect(await statusOf(other.session)).toBe(200);
});

test('a user has fifty sessions at a time: a further one ends the one that was used least lately', async () => {
  const { session, userId } = await api.createAccount();
  await ageSessions(api.db, userId, { minutes: 60 });
  for (let index = 0; index < 50; index += 1) await createSession(api.db, userId);
  expect(await api.db`select from sessions where user_id = ${userId}`).toHaveLength(50);
  expect(await statusOf(session)).toBe(401);
});
