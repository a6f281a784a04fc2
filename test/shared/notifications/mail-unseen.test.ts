import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../../src/shared/accounts/sessions.ts';
import type { EventTransact } from '../../../src/shared/facts/tell.ts';
import { newUuid, readId, showId } from '../../../src/shared/ids.ts';
import { mailUnseen } from '../../../src/shared/notifications/mail-unseen.ts';
import { mailsAnHourAtMost } from '../../../src/shared/notifications/plan-mails.ts';
import { firstSettings, type NotificationSettings } from '../../../src/shared/notifications/schema.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { anInboundMessage } from '../../helpers/builders.ts';
import { useMails } from '../../helpers/mails.ts';
import { aColleague } from '../../helpers/states/accounts.ts';
import { letWaitsBeDue, letWaitsPass } from '../../helpers/states/conversations.ts';

type Talk = { id: string; contactId: string; write: () => Promise<void> };
type User = { id: string; session: string };

const api = await useApi();
const mails = await useMails(api);
let account: TestAccount;
let ada: User;
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  ada = { id: showId('user', account.userId), session: account.session };
  channelId = (await as<{ id: string }>(ada, 'POST', '/channels', queueing)).id;
});

/** A channel over which nobody sends while a test runs. */
const queueing = { type: 'api', name: 'Shop', callback_url: 'https://127.0.0.1:1/messages' };

const as = async <Body>({ session }: User, method: string, path: string, body?: unknown): Promise<Body> => {
  const answer = await api.request<Body>(method, `/dashboard/api${path}`, {
    session,
    ...(body !== undefined && { body }),
  });
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body;
};

const aUser = async (): Promise<User> => {
  const id = await aColleague(api.db, account.accountId, 'agent');
  return { id: showId('user', id), session: await createSession(api.db, id) };
};

const afterMinutes = (minutes: number | null) => ({ sound: false, desktop: false, mail_after_minutes: minutes });

const settle = (user: User, settings: Partial<NotificationSettings>) =>
  as(user, 'PUT', '/notification-settings', { ...firstSettings, ...settings });

/** A contact of its own has written, and writes more. */
const aTalk = async (): Promise<Talk> => {
  const first = anInboundMessage({ text: 'Secret', sender: { external_id: `Secret-${newUuid()}` } });
  const inbound = (message: object) =>
    as<{ contact_id: string }>(ada, 'POST', `/channels/${channelId}/inbound`, message);
  const { contact_id: contactId } = await inbound(first);
  const { data } = await as<{ data: { id: string }[] }>(ada, 'GET', `/conversations?contact_id=${contactId}`);
  const write = async () => {
    await inbound(anInboundMessage({ text: 'Secret', sender: first.sender }));
  };
  return { id: data[0]?.id ?? expect.fail('no conversation'), contactId, write };
};

const assign = ({ id }: Talk, user: User, by = ada) =>
  as(by, 'PATCH', `/conversations/${id}`, { assigned_to: user.id });

/** A conversation that is assigned to a user, and whose contact has written again. */
const aTalkOf = async (user: User): Promise<Talk> => {
  const talk = await aTalk();
  await assign(talk, user);
  await as(user, 'POST', `/conversations/${talk.id}/read`);
  await talk.write();
  return talk;
};

const { transact } = api.deps;
const look = (by: EventTransact = transact) => mailUnseen({ transact: by });

/** What is mailed once so many minutes have passed. */
const mailsAfter = async (minutes: number) => {
  await letWaitsPass(api.db, minutes);
  await look();
  return mails.deliver();
};

describe('a mail about an unseen message', () => {
  test('comes once after the chosen minutes, leads to the conversation and names nobody', async () => {
    await settle(ada, { mine: afterMinutes(10) });
    const talk = await aTalkOf(ada);
    expect(await mailsAfter(9)).toEqual([]);
    const [mail, ...others] = await mailsAfter(1);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: account.email, subject: 'A conversation waits for an answer' });
    expect(mail?.text).toContain(`${api.deps.config.baseUrl}/inbox/${talk.id}`);
    expect(mail?.source).not.toContain('Secret');
    await talk.write();
    expect(await mailsAfter(60)).toEqual([]);
  });

  test('comes for what was written after the revision that an answer has seen', async () => {
    await settle(ada, { mine: afterMinutes(10) });
    const talk = await aTalkOf(ada);
    const { revision: seen_revision } = await as<{ revision: number }>(ada, 'GET', `/conversations/${talk.id}`);
    await talk.write();
    const answer = { text: 'Hi', client_ref: talk.id, seen_revision, next: 'close' };
    await as(ada, 'POST', `/conversations/${talk.id}/messages`, answer);
    expect(await mailsAfter(11)).toHaveLength(1);
  });

  test.for([
    ['a conversation that is read', ({ id }: Talk) => as(ada, 'POST', `/conversations/${id}/read`)],
    [
      'an answer of a user',
      ({ id }: Talk) => as(ada, 'POST', `/conversations/${id}/messages`, { text: 'Hi', client_ref: id }),
    ],
    [
      'its contact is blocked',
      ({ contactId }: Talk) => as(ada, 'PATCH', `/contacts/${contactId}`, { status: 'blocked' }),
    ],
    ['a close', ({ id }: Talk) => as(ada, 'POST', `/conversations/${id}/close`)],
    [
      'a snooze',
      ({ id }: Talk) =>
        as(ada, 'POST', `/conversations/${id}/snooze`, { until: new Date(Date.now() + 86_400_000).toISOString() }),
    ],
    [
      'a conversation that is handed back to the bot',
      ({ id }: Talk) => as(ada, 'POST', `/conversations/${id}/hand-back`),
    ],
  ] as const)('is not written after %s, and withdrawn where it was written before', async ([, act]) => {
    await settle(ada, { mine: afterMinutes(10) });
    const early = await aTalkOf(ada);
    await act(early);
    expect(await mailsAfter(11)).toEqual([]);
    const late = await aTalkOf(ada);
    await letWaitsPass(api.db, 10);
    await look();
    expect(api.dispatched.some(({ work }) => work.kind === 'mail')).toBe(true);
    await act(late);
    expect(await mails.deliver()).toEqual([]);
  });

  test('comes again for the next wait, after the first one was seen', async () => {
    await settle(ada, { mine: afterMinutes(10) });
    const talk = await aTalkOf(ada);
    expect(await mailsAfter(10)).toHaveLength(1);
    await as(ada, 'POST', `/conversations/${talk.id}/messages`, { text: 'Hi', client_ref: talk.id });
    await talk.write();
    expect(await mailsAfter(9)).toEqual([]);
    expect(await mailsAfter(1)).toHaveLength(1);
  });

  test('never comes for a conversation of the bot, until an agent is asked for', async () => {
    await settle(ada, { unassigned: afterMinutes(10) });
    const talk = await aTalk();
    expect(await mailsAfter(60)).toEqual([]);
    await as(ada, 'POST', '/handovers', { conversation_id: talk.id, reason: 'Asks for an agent.' });
    expect(await mailsAfter(9)).toEqual([]);
    expect(await mailsAfter(1)).toHaveLength(1);
  });

  test('goes to those whose settings name the conversation, each after their own minutes', async () => {
    const [grace, lin] = [await aUser(), await aUser()];
    await settle(ada, { all: afterMinutes(30) });
    await settle(grace, { mine: afterMinutes(5), all: afterMinutes(60) });
    await settle(lin, { mine: afterMinutes(5), unassigned: afterMinutes(5) });
    await aTalkOf(grace);
    const emailOf = async ({ id }: User) =>
      (await api.db<{ email: string }[]>`select email from users where id = ${readId('user', id)}`)[0]?.email;
    expect((await mailsAfter(5)).map(({ to }) => to)).toEqual([await emailOf(grace)]);
    expect((await mailsAfter(25)).map(({ to }) => to)).toEqual([account.email]);
    expect(await mailsAfter(600)).toEqual([]);
  });

  test('comes in time to whom a colleague assigns what waited for others, and no sooner to who takes it', async () => {
    const grace = await aUser();
    await settle(ada, { unassigned: afterMinutes(120) });
    await settle(grace, { mine: afterMinutes(10) });
    for (const [by, count] of [
      [grace, 0],
      [ada, 1],
    ] as const) {
      const talk = await aTalk();
      await as(ada, 'POST', '/handovers', { conversation_id: talk.id, reason: 'Asks for an agent.' });
      expect(await mailsAfter(20)).toEqual([]);
      await assign(talk, grace, by);
      await look();
      expect(await mails.deliver()).toHaveLength(count);
      await as(grace, 'POST', `/conversations/${talk.id}/close`);
    }
  });

  test(`comes ${mailsAnHourAtMost} times an hour at most to one user, and the others later`, async () => {
    await settle(ada, { mine: afterMinutes(10) });
    for (let count = 0; count < mailsAnHourAtMost + 2; count += 1) await aTalkOf(ada);
    expect(await mailsAfter(10)).toHaveLength(mailsAnHourAtMost);
    const waits =
      await api.db`select from unseen_waits where account_id = ${account.accountId} and due_at > clock_timestamp()`;
    expect(waits.count).toBe(2);
  });

  test('is written once by processes that look at the same time', async () => {
    await settle(ada, { mine: afterMinutes(10) });
    for (let count = 0; count < 12; count += 1) await aTalkOf(ada);
    await letWaitsPass(api.db, 10);
    await Promise.all([look(), look(), look(), look()]);
    expect(await mails.deliver()).toHaveLength(12);
  });

  test('is written once although the connection of the first look breaks in the middle', async () => {
    await settle(ada, { mine: afterMinutes(10) });
    await aTalkOf(ada);
    await letWaitsPass(api.db, 10);
    const breaking: EventTransact = (work) =>
      transact(async (tx) => {
        const result = await work(tx);
        const [own] = await tx.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await api.db`select pg_terminate_backend(${own?.pid ?? 0})`;
        await tx.sql`select 1`;
        return result;
      });
    await expect(look(breaking)).rejects.toThrow(/terminating|CONNECTION/);
    expect(await mails.deliver()).toEqual([]);
    await look();
    expect(await mails.deliver()).toHaveLength(1);
  });

  test('misses no message that comes while a process looks', async () => {
    await settle(ada, { mine: afterMinutes(10) });
    const talk = await aTalkOf(ada);
    await letWaitsPass(api.db, 10);
    let written = Promise.resolve();
    const during: EventTransact = (work) =>
      transact(async (tx) => {
        const result = await work(tx);
        written = talk.write();
        return result;
      });
    await look(during);
    await written;
    expect(await mails.deliver()).toHaveLength(1);
    await letWaitsBeDue(api.db);
    await look();
    expect(await mails.deliver()).toEqual([]);
  });

  test('has a link that ends them by a button or one POST, and leaves all other settings', async () => {
    const chosen = { mine: { ...afterMinutes(10), sound: true }, all: afterMinutes(60) };
    await settle(ada, chosen);
    await aTalkOf(ada);
    const [mail] = await mailsAfter(10);
    const [url = ''] = /https?:\S+\/unsubscribe\/\S+/.exec(mail?.text ?? '') ?? [];
    const head = (mail?.source ?? '').replaceAll(/\r\n[ \t]/g, ' ');
    expect(head).toContain(`List-Unsubscribe: <${url}>`);
    expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const page = await fetch(url);
    expect([page.status, (await page.text()).includes('<button>Stop these mails</button>')]).toEqual([200, true]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await as<NotificationSettings>(ada, 'GET', '/notification-settings')).toMatchObject(chosen);
    const posted = await fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect(posted.status).toBe(200);
    expect(await as<NotificationSettings>(ada, 'GET', '/notification-settings')).toEqual({
      ...firstSettings,
      mine: { ...afterMinutes(null), sound: true },
    });
    await aTalkOf(ada);
    expect(await mailsAfter(60)).toEqual([]);
  });

  test('has a link that nobody can make: a changed user or signature is 403, and ends nothing', async () => {
    const grace = await aUser();
    await settle(ada, { mine: afterMinutes(10) });
    await settle(grace, { mine: afterMinutes(10) });
    await aTalkOf(ada);
    const [mail] = await mailsAfter(10);
    const [, user = '', signature = ''] = /\/unsubscribe\/(\w+)\/([\w-]+)/.exec(mail?.text ?? '') ?? [];
    for (const path of [`${grace.id}/${signature}`, `${user}/${signature.slice(1)}`, `${user}/x`, `x/${signature}`])
      for (const method of ['GET', 'POST'])
        expect((await api.request(method, `/unsubscribe/${path}`)).status).toBe(403);
    for (const one of [ada, grace])
      expect(await as<NotificationSettings>(one, 'GET', '/notification-settings')).toMatchObject({
        mine: afterMinutes(10),
      });
  });
});
