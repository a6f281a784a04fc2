import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { startApi, type TestAccount, useApi } from '../helpers/api.ts';
import { useMails } from '../helpers/mails.ts';
import { useSignedOut } from '../helpers/signed-out.ts';
import { aColleague, ageLinks, ageMails } from '../helpers/states/accounts.ts';

type Invitation = {
  id: string;
  email: string;
  name: string | null;
  state: string;
  role: string;
  invited_by: string;
  created_at: string;
  expires_at: string;
};

const api = await useApi();
const mails = await useMails(api);
const { accept, call, signIn } = useSignedOut(api);
let account: TestAccount;
let email: string;
beforeEach(async () => {
  account = await api.createAccount();
  email = `${newUuid()}@example.com`;
});

const as = <Body = Invitation>(method: string, path: string, body?: unknown, session = account.session) =>
  api.request<Body>(method, `/dashboard/api${path}`, { session, body });
const invite = (body: unknown = { email, role: 'agent' }) => as('POST', '/users', body);
const list = async () => (await as<{ data: Invitation[] }>('GET', '/invitations')).body.data;
const invited = async () => (await invite()).body.id;

test('an invitation is a mail with a link, by which somebody becomes a user of that role and is signed in', async () => {
  const { status, body: invitation } = await invite({
    email: email.toUpperCase().replace('EXAMPLE.COM', 'Example.com'),
    role: 'editor',
  });
  expect(status).toBe(201);
  expect(invitation).toEqual({
    id: expect.stringMatching(/^inv_/),
    email,
    name: null,
    state: 'sending',
    role: 'editor',
    invited_by: showId('user', account.userId),
    created_at: expect.stringMatching(/Z$/),
    expires_at: null,
  });
  const [mail, ...more] = await mails.deliver();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: email, link: `${api.url}/invitation`, token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(mail?.subject).toBe('You are invited to an account on Parley');
  expect(mail?.text).toContain('"Acme"');
  expect(mail?.text).toContain('role editor');
  const [listed] = await list();
  expect(listed).toEqual({ ...invitation, state: 'sent', expires_at: expect.stringMatching(/Z$/) });
  const days = (Date.parse(listed?.expires_at ?? '') - Date.parse(invitation.created_at)) / 86_400_000;
  expect(days).toBeCloseTo(7, 1);

  const accepted = await accept(mail?.token ?? '');
  expect(accepted).toMatchObject({
    status: 200,
    body: { user: { email, role: 'editor' }, account: { id: showId('account', account.accountId) } },
  });
  const [, session = ''] = /^parley_session=([^;]+)/.exec(String(accepted.headers['set-cookie'])) ?? [];
  expect((await as('GET', '/users', undefined, session)).status).toBe(200);
  expect((await signIn(email, 'battery staple')).status).toBe(200);
  expect(await list()).toEqual([]);
});

test('the token of a link stands in no table and no log line, only its hash', async () => {
  await invited();
  const token = await mails.deliverToken();
  const rows = await api.db<{ row: string }[]>`
    select m::text as row from mails m union all select t::text from link_tokens t union all select i::text from invitations i`;
  const all = [...rows.map(({ row }) => row), ...api.logged].join('\n');
  expect(all).not.toContain(token);
  expect(all).not.toContain(Buffer.from(token).toString('hex'));
  expect(JSON.stringify(api.dispatched)).not.toContain(token);
});

describe('a name', () => {
  test('that an invitation carries greets in its mail, shows by its link, and becomes the name of the user', async () => {
    await invite({ email, name: ' Grace ', role: 'agent' });
    expect(await list()).toMatchObject([{ email, name: 'Grace' }]);
    const [mail] = await mails.deliver();
    expect(mail?.text).toContain('Hello Grace,');
    const token = mail?.token ?? '';
    const seen = await call('POST', '/invitations/preview', { token });
    expect(seen).toMatchObject({ status: 200, body: { email, name: 'Grace', role: 'agent', account_name: 'Acme' } });
    expect((await accept(token)).body).toMatchObject({ user: { email, name: 'Grace' } });
    expect((await call('POST', '/invitations/preview', { token })).status).toBe(422);
  });

  test('that is chosen on accepting counts before that of the invitation', async () => {
    await invite({ email, name: 'Grace', role: 'agent' });
    const token = await mails.deliverToken();
    for (const name of ['', 'x'.repeat(81), 'a\nb']) expect((await accept(token, { name })).status).toBe(422);
    expect((await accept(token, { name: 'Grace Hopper' })).body).toMatchObject({ user: { name: 'Grace Hopper' } });
  });
});

describe('the state of an invitation', () => {
  const states = async () => (await list()).map(({ state }) => state);

  test('is sending, sent, and expired after seven days; then it can be sent again', async () => {
    const id = await invited();
    expect(await states()).toEqual(['sending']);
    await mails.deliver();
    expect(await states()).toEqual(['sent']);
    await ageLinks(api.db, readId('invitation', id), { hours: 7 * 24 });
    await ageMails(api.db, account.accountId, { minutes: 6 });
    expect(await states()).toEqual(['expired']);
    expect((await as('POST', `/invitations/${id}/resend`)).body).toMatchObject({ id, state: 'sending' });
    await mails.deliver();
    expect(await states()).toEqual(['sent']);
  });

  test('is failed when the mail server refuses the address', async () => {
    await invited();
    mails.server.refuse(email, 550);
    await mails.deliver();
    expect(await states()).toEqual(['failed']);
  });
});

describe('a link that the owner hands on', () => {
  type Link = { url: string; expires_at: string };
  const makeLink = (id: string, session?: string) => as<Link>('POST', `/invitations/${id}/link`, undefined, session);
  const tokenOf = ({ body }: { body: Link }) => body.url.split('#')[1] ?? '';

  test('accepts the invitation once, is good for seven days, and is stored only as a hash', async () => {
    const id = await invited();
    const made = await makeLink(id);
    expect(made).toMatchObject({ status: 201, headers: { 'cache-control': expect.stringContaining('no-store') } });
    expect(made.body.url).toMatch(new RegExp(`^${api.url}/invitation#[\\w-]{43}$`));
    expect((Date.parse(made.body.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
    const rows = await api.db<{ row: string }[]>`
      select t::text as row from link_tokens t union all select i::text from invitations i
      union all select k::text from idempotency_keys k`;
    expect([...rows.map(({ row }) => row), ...api.logged].join('\n')).not.toContain(tokenOf(made));
    expect((await accept(tokenOf(made))).status).toBe(200);
    expect((await accept(tokenOf(made))).status).toBe(422);
  });

  test('can be made again: the three latest are good, and none after the invitation is withdrawn', async () => {
    const id = await invited();
    const tokens: string[] = [];
    for (let count = 0; count < 4; count += 1) tokens.push(tokenOf(await makeLink(id)));
    const seen = async () =>
      Promise.all(tokens.map(async (token) => (await call('POST', '/invitations/preview', { token })).status));
    expect(await seen()).toEqual([422, 200, 200, 200]);
    await as('DELETE', `/invitations/${id}`);
    expect(await seen()).toEqual([422, 422, 422, 422]);
  });

  test('is refused to editors with 403, and to other accounts with 404', async () => {
    const id = await invited();
    const editor = await createSession(api.db, await aColleague(api.db, account.accountId, 'editor'));
    expect((await makeLink(id, editor)).status).toBe(403);
    expect((await makeLink(id, (await api.createAccount()).session)).status).toBe(404);
  });

  test('is not made where mails are sent, because only the mail proves who opens it: 409', async () => {
    const sending = await startApi({ sendsMail: true });
    onTestFinished(sending.stop);
    const { session } = await sending.createAccount();
    const request = (path: string, body?: object) =>
      sending.request<Invitation>('POST', `/dashboard/api${path}`, { session, ...(body && { body }) });
    const { body } = await request('/users', { email, role: 'agent' });
    expect((await request(`/invitations/${body.id}/link`)).status).toBe(409);
  });
});

describe('a mail', () => {
  test('is sent again for an invitation, once in five minutes, and the links of both are good', async () => {
    const id = await invited();
    const first = await mails.deliverToken();
    expect((await as('POST', `/invitations/${id}/resend`)).status).toBe(202);
    expect(await mails.deliver()).toEqual([]);
    await ageMails(api.db, account.accountId, { minutes: 6 });
    await as('POST', `/invitations/${id}/resend`);
    expect(await mails.deliverToken()).not.toBe(first);
    expect((await accept(first)).status).toBe(200);
  });

  test('that is tried again after the server was away has a link that is good, as has the one before', async () => {
    await invited();
    mails.server.refuse(email, 451);
    const asked = [...api.dispatched];
    await expect(mails.deliver()).rejects.toThrow(/for now/);
    api.dispatched.push(...asked);
    expect((await accept(await mails.deliverToken())).status).toBe(200);
  });

  test('of an invitation that is withdrawn meanwhile is not sent, and ends as withdrawn', async () => {
    const id = await invited();
    expect((await as('DELETE', `/invitations/${id}`)).status).toBe(204);
    expect(await mails.deliver()).toEqual([]);
    const ended = await api.db`select status, sweep_at from mails where account_id = ${account.accountId}`;
    expect(ended).toEqual([{ status: 'withdrawn', sweepAt: null }]);
  });
});

describe('an invitation', () => {
  const refusal = async (token: string) => {
    const { status, body } = await accept(token);
    return [status, body.error.code];
  };

  test('is refused for who is a user of the account, and for who is invited: 409', async () => {
    const colleague = await aColleague(api.db, account.accountId, 'agent');
    for (const taken of [account.email, account.email.toUpperCase(), `${colleague}@example.com`])
      expect((await invite({ email: taken, role: 'agent' })).status).toBe(409);
    const id = await invited();
    const again = await invite({ email: email.toUpperCase(), role: 'owner' });
    expect(again).toMatchObject({ status: 409, body: { error: { conflict_with: { id, key: 'email' } } } });
    expect(await list()).toMatchObject([{ role: 'agent' }]);
  });

  test("of another account's user tells the owner nothing, and is refused to who accepts it: 409", async () => {
    const other = await api.createAccount();
    const { status } = await invite({ email: other.email, role: 'agent' });
    expect(status).toBe(201);
    expect(await refusal(await mails.deliverToken())).toEqual([409, 'conflict']);
    expect(await list()).toHaveLength(1);
  });

  test('works once, and only until it is too old', async () => {
    await invited();
    const token = await mails.deliverToken();
    const both = await Promise.all([accept(token), accept(token)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect(await refusal(token)).toEqual([422, 'invalid_request']);
    email = `${newUuid()}@example.com`;
    const id = await invited();
    const old = await mails.deliverToken();
    await ageLinks(api.db, readId('invitation', id), { hours: 7 * 24 });
    expect(await refusal(old)).toEqual([422, 'invalid_request']);
  });

  test('of another account is 404 to resend and to withdraw, and stays', async () => {
    const id = await invited();
    const { session } = await api.createAccount();
    expect((await as('POST', `/invitations/${id}/resend`, undefined, session)).status).toBe(404);
    expect((await as('DELETE', `/invitations/${id}`, undefined, session)).status).toBe(404);
    expect(await list()).toMatchObject([{ id }]);
  });

  test('is one for a request that is repeated with its Idempotency-Key', async () => {
    const send = () =>
      api.request<Invitation>('POST', '/dashboard/api/users', {
        session: account.session,
        headers: { 'idempotency-key': 'once' },
        body: { email, role: 'agent' },
      });
    expect((await send()).body).toEqual((await send()).body);
    expect(await mails.deliver()).toHaveLength(1);
  });

  test.for([
    ['nothing', {}],
    ['no role', { email: 'a@b.example' }],
    ['no e-mail address', { role: 'agent' }],
    ['a role that there is not', { email: 'a@b.example', role: 'root' }],
    ['a name with an address', { email: 'Ada <a@b.example>', role: 'agent' }],
    ['two addresses', { email: 'a@b.example, c@d.example', role: 'agent' }],
    ['a list of addresses', { email: ['a@b.example'], role: 'agent' }],
    ['a line end', { email: 'a@b.example\r\nBcc: c@d.example', role: 'agent' }],
    ['a NUL', { email: 'a\0@b.example', role: 'agent' }],
    ['half a surrogate pair', '{"email":"\\ud800@b.example","role":"agent"}'],
    [
      'broken UTF-8',
      Buffer.from('7b22656d61696c223a22ff40622e6578616d706c65222c22726f6c65223a226167656e74227d', 'hex'),
    ],
    ['10 kB', { email: `${'a'.repeat(10_000)}@b.example`, role: 'agent' }],
    ['a huge number', { email: 1e308, role: 'agent' }],
    ['an account', { email: 'a@b.example', role: 'agent', account_id: showId('account', newUuid()) }],
    ['a password', { email: 'a@b.example', role: 'agent', password: 'battery staple' }],
  ] as const)('with %s is refused, and nothing is sent', async ([, body]) => {
    expect([400, 422]).toContain((await invite(body)).status);
    expect(await list()).toEqual([]);
    expect(await mails.deliver()).toEqual([]);
  });

  test.for([
    ['no token', { token: undefined }],
    ['an empty token', { token: '' }],
    ['a long token', { token: 'x'.repeat(10_000) }],
    ['a token with a NUL', { token: 'x\0' }],
    ['a short password', { password: 'short' }],
    ['a long password', { password: 'x'.repeat(201) }],
    ['an e-mail address of one’s own', { email: 'a@b.example' }],
    ['a role of one’s own', { role: 'owner' }],
  ] as const)('is not accepted with %s: 422', async ([, more]) => {
    await invited();
    expect((await accept(await mails.deliverToken(), more)).status).toBe(422);
    expect(await list()).toHaveLength(1);
  });
});

test('an account has at most 200 users and invitations, and sends at most 50 mails an hour', async () => {
  const users = Array.from({ length: 198 }, () => aColleague(api.db, account.accountId, 'agent'));
  await Promise.all(users);
  expect((await invite()).status).toBe(201);
  expect(await invite({ email: `x${email}`, role: 'agent' })).toMatchObject({ status: 409 });
  const [{ id } = { id: '' }] = await list();
  const statuses = new Set<number>();
  for (let mail = 2; mail < 51; mail += 1) statuses.add((await as('POST', `/invitations/${id}/resend`)).status);
  expect([...statuses]).toEqual([202, 429]);
});
