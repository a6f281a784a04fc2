import { beforeEach, describe, expect, test } from 'vitest';
import { usualHandoverHours } from '../../src/shared/accounts/handover-settings.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { lockContact } from '../../src/shared/contacts/lock-contact.ts';
import { expireHandovers } from '../../src/shared/handovers/end.ts';
import { listHandovers } from '../../src/shared/handovers/queries.ts';
import { recipientsAtMost } from '../../src/shared/handovers/recipients.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { holdLock } from '../helpers/locks.ts';
import { useMails } from '../helpers/mails.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { aConversation } from '../helpers/states/conversations.ts';
import { haveManyHandovers, letHandoversLapse } from '../helpers/states/handovers.ts';

type Handover = {
  id: string;
  contact_id: string;
  conversation_id: string | null;
  status: string;
  reason: string;
  requested_by: string;
  assigned_to: string | null;
  outcome: string | null;
  created_at: string;
  expires_at: string;
  ended_at: string | null;
};
type Page = { data: Handover[]; next_cursor: string | null };
type Refused = { error: { code: string; details?: { path: string; message: string }[] } };

const api = await useApi();
const mails = await useMails(api);
let account: TestAccount;
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  channelId = (await as<{ id: string }>('POST', '/v1/channels', { type: 'api', name: 'Shop' })).body.id;
});

const as = <Body = Handover>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body & Refused>(method, path, { key, body });

const inDashboard = <Body = Handover>(method: string, path: string, body?: unknown) =>
  api.request<Body>(method, `/dashboard/api${path}`, { session: account.session, body });

/** A contact of its own writes; answers the ids of the contact and of its conversation. */
const written = async (): Promise<{ contact_id: string; conversation_id: string }> => {
  const message = anInboundMessage({ sender: { external_id: newUuid() } });
  const { body } = await as<{ message: { id: string } }>('POST', `/v1/channels/${channelId}/inbound`, message);
  const read = await as<{ contact_id: string; conversation_id: string }>('GET', `/v1/messages/${body.message.id}`);
  const { contact_id, conversation_id } = read.body;
  return { contact_id, conversation_id };
};

const aSilentContact = async (): Promise<string> =>
  (await as<{ id: string }>('POST', '/v1/contacts', aContact())).body.id;

const request = (body: object) => as('POST', '/v1/handovers', { reason: 'Is angry.', ...body });
const requested = async (): Promise<Handover> => {
  const { contact_id } = await written();
  return (await request({ contact_id })).body;
};
const read = async (id: string) => (await as('GET', `/v1/handovers/${id}`)).body;
const resolve = (id: string, body: object = {}) => as('POST', `/v1/handovers/${id}/resolve`, body);
const assign = (id: string, assigned_to: unknown) => as('PATCH', `/v1/handovers/${id}`, { assigned_to });
const list = async (query = ''): Promise<Page> => (await as<Page>('GET', `/v1/handovers?${query}`)).body;
const idsOf = ({ data }: Page) => data.map(({ id }) => id);

const told = () => api.db<{ name: string; channel: string; contactId: string; data: { handover: object } }[]>`
  select name, channel, contact_id, data from events
  where account_id = ${account.accountId} and name = 'handover_requested' order by id`;

describe('a handover', () => {
  test('of a contact is of its open conversation, is told once, and reads as it was requested', async () => {
    const { contact_id, conversation_id } = await written();
    const { status, body } = await request({ contact_id, reason: ' Is angry. ' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^hnd_/),
      contact_id,
      conversation_id,
      status: 'open',
      reason: 'Is angry.',
      requested_by: 'api',
      run_id: null,
      assigned_to: null,
      outcome: null,
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      ended_at: null,
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(usualHandoverHours * 3_600_000);
    expect(await read(body.id)).toEqual(body);
    const { id, created_at } = body;
    const handover = { id, reason: 'Is angry.', requested_by: 'api', conversation_id, created_at };
    expect(await told()).toEqual([
      { name: 'handover_requested', channel: 'api', contactId: readId('contact', contact_id), data: { handover } },
    ]);
  });

  test('of a conversation is of its contact; by the dashboard it is by an agent', async () => {
    const { contact_id, conversation_id } = await written();
    const { body } = await inDashboard('POST', '/handovers', { conversation_id, reason: 'Mine.' });
    expect(body).toMatchObject({ contact_id, conversation_id, requested_by: 'agent' });
  });

  test('of a contact who has never written has no conversation', async () => {
    const contact_id = await aSilentContact();
    expect((await request({ contact_id })).body).toMatchObject({ contact_id, conversation_id: null });
    expect(await told()).toMatchObject([{ channel: 'api', data: { handover: { conversation_id: null } } }]);
  });

  test('that is requested again, also many times at once and in other words, is the open one, and is told once', async () => {
    const { contact_id, conversation_id } = await written();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        request(index % 2 === 0 ? { contact_id, reason: `${index}` } : { conversation_id, reason: `${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await request({ contact_id, reason: 'Again.' })).body).toEqual(answers[0]?.body);
    expect(await told()).toHaveLength(1);
  });

  test('that is resolved has an outcome, and the contact may have another one, which is told anew', async () => {
    const first = await requested();
    const { body } = await resolve(first.id, { outcome: ' Refunded. ' });
    expect(body).toEqual({ ...first, status: 'resolved', outcome: 'Refunded.', ended_at: expect.stringMatching(/Z$/) });
    const second = await request({ contact_id: first.contact_id });
    expect(second.body).toMatchObject({ status: 'open', outcome: null });
    expect(second.body.id).not.toBe(first.id);
    expect(await read(first.id)).toEqual(body);
    expect(await told()).toHaveLength(2);
    // Whoever resolves the first one again does not end the one that is open now.
    expect((await resolve(first.id)).body).toEqual(body);
    expect(await read(second.body.id)).toEqual(second.body);
  });

  test('of a contact with two open conversations is of the one where it wrote, and is resolved by closing that one alone', async () => {
    const { contact_id, conversation_id } = await written();
    const of = { accountId: account.accountId, contactId: readId('contact', contact_id), channel: 'api' };
    const other = showId('conversation', await aConversation(api.db, of));
    const close = (id: string) => as('POST', `/v1/conversations/${id}/close`);
    const { body: first } = await request({ contact_id });
    expect(first).toMatchObject({ status: 'open', conversation_id });
    expect((await close(other)).status).toBe(200);
    expect(await read(first.id)).toEqual(first);
    await as('POST', `/v1/conversations/${other}/reopen`);
    await close(conversation_id);
    expect((await read(first.id)).status).toBe('resolved');
    // Where it wrote, nothing is open any more: the next one is of no conversation, and closing any resolves it.
    const { body: second } = await request({ contact_id });
    expect(second).toMatchObject({ status: 'open', conversation_id: null });
    await close(other);
    expect((await read(second.id)).status).toBe('resolved');
  });

  test('is resolved once, however many resolve it at once: the first outcome stays', async () => {
    const { id } = await requested();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((outcome) => resolve(id, { outcome })));
    const first = answers[0]?.body;
    expect(first?.status).toBe('resolved');
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => first));
    expect((await resolve(id)).body).toEqual(first);
  });

  test('is assigned to a user, to another one or to nobody', async () => {
    const handover = await requested();
    const [user, other] = [account.userId, await aColleague(api.db, account.accountId, 'agent')];
    for (const assigned_to of [user, other, null].map((id) => id && showId('user', id)))
      expect((await assign(handover.id, assigned_to)).body).toEqual({ ...handover, assigned_to });
  });

  test.for([
    ['resolved', resolve],
    ['expired', () => letHandoversLapse(api.db, account.accountId).then(() => expireHandovers(api.deps))],
  ] as const)('that is %s stays with whom it was, and the thread says nothing of it', async ([status, end]) => {
    const { conversation_id } = await written();
    const { body: handover } = await request({ conversation_id });
    const user = showId('user', account.userId);
    await assign(handover.id, user);
    await end(handover.id);
    const ended = await read(handover.id);
    expect(ended).toMatchObject({ status, assigned_to: user });
    const acts = () => as('GET', `/v1/conversations/${conversation_id}/acts`);
    const { body: before } = await acts();
    const other = showId('user', await aColleague(api.db, account.accountId, 'agent'));
    for (const to of [null, other]) expect(await assign(handover.id, to)).toMatchObject({ status: 200, body: ended });
    expect((await acts()).body).toEqual(before);
  });

  test("goes to no other account's user: 404, and it stays with who has it", async () => {
    const { id } = await requested();
    const user = showId('user', account.userId);
    await assign(id, user);
    for (const stranger of [(await api.createAccount()).userId, newUuid()])
      expect((await assign(id, showId('user', stranger))).status).toBe(404);
    expect((await read(id)).assigned_to).toBe(user);
  });

  test('that a user has who is removed is with nobody, and those of others stay with them', async () => {
    const [theirs, mine] = [await requested(), await requested()];
    const colleague = showId('user', await aColleague(api.db, account.accountId, 'agent'));
    const own = showId('user', account.userId);
    await assign(theirs.id, colleague);
    await assign(mine.id, own);
    expect((await inDashboard('DELETE', `/users/${colleague}`)).status).toBe(204);
    expect([(await read(theirs.id)).assigned_to, (await read(mine.id)).assigned_to]).toEqual([null, own]);
  });

  test('waits for who has its contact, as its runs do, before it is requested or resolved', async () => {
    const { contact_id } = await written();
    const lock = () =>
      holdLock(api.db, (sql) =>
        lockContact(sql, { accountId: account.accountId, contactId: readId('contact', contact_id) }),
      );
    for (const write of [() => request({ contact_id }), async () => resolve((await list()).data[0]?.id ?? '')]) {
      const held = await lock();
      const writing = write();
      await held.hasStopped('from contacts');
      await held.letThrough();
      expect((await writing).status).toBe(200);
    }
    expect((await list()).data).toMatchObject([{ status: 'resolved' }]);
  });

  test('of a conversation that is closed is 409, and nothing is told', async () => {
    const { conversation_id } = await written();
    await as('POST', `/v1/conversations/${conversation_id}/close`);
    expect(await request({ conversation_id })).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await told()).toEqual([]);
  });

  test('of a conversation that is closed meanwhile is 409', async () => {
    const { contact_id, conversation_id } = await written();
    const contactId = readId('contact', contact_id);
    const held = await holdLock(api.db, async (sql) => {
      await lockContact(sql, { accountId: account.accountId, contactId });
    });
    const closing = as('POST', `/v1/conversations/${conversation_id}/close`);
    await held.hasStopped('from contacts');
    const requesting = request({ conversation_id });
    await held.letThrough();
    const [{ status }] = [await requesting, await closing];
    // Whichever had the contact first: a handover is never of a conversation that was closed before it.
    const [handover] = (await list()).data;
    expect(status === 409 ? handover : handover?.status).toBe(status === 409 ? undefined : 'resolved');
  });

  test("is nobody else's: another account requests, reads, resolves, assigns and lists none", async () => {
    const handover = await requested();
    const { contact_id, conversation_id } = await written();
    const { apiKey } = await api.createAccount();
    for (const of of [{ contact_id }, { conversation_id }, { contact_id: handover.contact_id }])
      expect((await as('POST', '/v1/handovers', { ...of, reason: 'x' }, apiKey)).status).toBe(404);
    expect((await as('GET', `/v1/handovers/${handover.id}`, undefined, apiKey)).status).toBe(404);
    expect((await as('POST', `/v1/handovers/${handover.id}/resolve`, {}, apiKey)).status).toBe(404);
    expect((await as('PATCH', `/v1/handovers/${handover.id}`, { assigned_to: null }, apiKey)).status).toBe(404);
    for (const query of ['', `contact_id=${handover.contact_id}`, 'status=open', 'assigned_to=none'])
      expect((await as<Page>('GET', `/v1/handovers?${query}`, undefined, apiKey)).body.data).toEqual([]);
    expect((await list()).data).toEqual([handover]);
    expect(await told()).toHaveLength(1);
  });

  test('of nothing that there is is 404, and nothing is written', async () => {
    const contact_id = showId('contact', newUuid());
    const conversation_id = showId('conversation', newUuid());
    for (const of of [{ contact_id }, { conversation_id }]) expect((await request(of)).status).toBe(404);
    for (const id of [showId('handover', newUuid()), contact_id, 'x']) expect((await resolve(id)).status).toBe(404);
    expect(await told()).toEqual([]);
  });
});

describe('handovers are refused with 422, and nothing is written, for', () => {
  const contact_id = showId('contact', newUuid());
  const conversation_id = showId('conversation', newUuid());
  test.for([
    ['neither a contact nor a conversation', { contact_id: undefined }],
    ['both', { conversation_id }],
    ['what is no id of a contact', { contact_id: 'con_x' }],
    ['the id of something else', { contact_id: conversation_id }],
    ['a number as an id', { contact_id: 7 }],
    ['an id of 10 kB', { contact_id: 'x'.repeat(10_000) }],
    ['null as a conversation', { conversation_id: null }],
    ['no reason', { reason: undefined }],
    ['an empty reason', { reason: ' ' }],
    ['a number as a reason', { reason: 7 }],
    ['a reason of 10 kB', { reason: 'x'.repeat(10_000) }],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }],
    ['NUL', { reason: 'a\0b' }],
    ['half a surrogate pair', { reason: '\ud800' }],
    ['a field of ours', { requested_by: 'contact' }],
  ] as const)('%s', async ([, fields]) => {
    const contact = await aSilentContact();
    const { status } = await request({ contact_id: contact, ...fields });
    expect(status).toBe(422);
    expect((await list()).data).toEqual([]);
    expect(await told()).toEqual([]);
  });

  test.for([
    ['JSON that is cut off', '[', 400],
    ['broken UTF-8', Buffer.from('{"reason":"\xff"}', 'latin1'), 400],
    ['more than 256 KiB', { contact_id, reason: 'x'.repeat(262_144) }, 413],
    ['a list of handovers', [], 422],
  ] as const)('%s, or with the status that is meant for such a body', async ([, body, status]) => {
    expect((await as('POST', '/v1/handovers', body)).status).toBe(status);
  });

  test.for([
    [{ outcome: '' }],
    [{ outcome: 7 }],
    [{ outcome: 'x'.repeat(501) }],
    [{ outcome: 'a\0b' }],
    [{ status: 'x' }],
  ])('an outcome as in %j', async ([body]) => {
    const handover = await requested();
    expect((await resolve(handover.id, body)).status).toBe(422);
    expect(await read(handover.id)).toEqual(handover);
  });

  test.for([[undefined], ['x'], [7], [['usr_x']], [showId('contact', newUuid())], ['x'.repeat(10_000)]])(
    'who takes it: %j',
    async ([to]) => {
      expect((await assign((await requested()).id, to)).status).toBe(422);
    },
  );
});

describe('the list of handovers', () => {
  test('is newest first, by status, contact and who has taken it, page after page', async () => {
    const all = [await requested(), await requested(), await requested()];
    const [first, second, third] = all.map(({ id }) => id);
    const user = showId('user', account.userId);
    await assign(first ?? '', user);
    await resolve(second ?? '');
    expect(idsOf(await list())).toEqual([third, second, first]);
    expect(idsOf(await list('status=open'))).toEqual([third, first]);
    expect(idsOf(await list('status=resolved'))).toEqual([second]);
    expect(idsOf(await list(`assigned_to=${user}`))).toEqual([first]);
    expect(idsOf(await list('assigned_to=none&status=open'))).toEqual([third]);
    expect(idsOf(await list(`contact_id=${all[1]?.contact_id}`))).toEqual([second]);
    const page = await list('limit=2');
    expect(idsOf(page)).toEqual([third, second]);
    expect(await list(`limit=2&cursor=${page.next_cursor}`)).toMatchObject({
      data: [{ id: first }],
      next_cursor: null,
    });
    expect((await inDashboard<Page>('GET', '/handovers')).body).toEqual(await list());
  });

  test.for(['status=closed', 'contact_id=x', 'assigned_to=', 'assigned_to=x', 'limit=201', 'cursor=x', 'reason=x'])(
    'refuses ?%s with 422',
    async (query) => {
      expect((await as('GET', `/v1/handovers?${query}`)).status).toBe(422);
    },
  );

  test('is read from an index, whatever it is asked for: nothing of many is sorted or read through', async () => {
    const ofMany = await haveManyHandovers(api.db, account.accountId);
    const small = await api.createAccount();
    const indexOf = async (
      filter: Parameters<typeof listHandovers>[2]['filter'],
      accountId = account.accountId,
    ): Promise<string> => {
      const page = { limit: 51, before: newUuid() };
      const plan = await api.db`explain ${listHandovers(api.db, accountId, { filter, page })}`;
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(text).not.toContain('Seq Scan');
      return /using (\w+)|on (handovers_\w+)/.exec(text)?.slice(1).join('') ?? text;
    };
    expect(await indexOf({}, small.accountId)).toBe('handovers_account');
    expect(await indexOf({ status: 'resolved' }, small.accountId)).toBe('handovers_status');
    // There are few open ones, which have an index of their own.
    expect(await indexOf({ status: 'open' })).toMatch(/handovers_(status|open|expiring)/);
    expect(await indexOf({ contact_id: ofMany })).toBe('handovers_contact');
    expect(await indexOf({ assigned_to: newUuid() })).toBe('handovers_assigned');
    expect(await indexOf({ assigned_to: newUuid(), status: 'open' })).toBe('handovers_assigned');
    expect(await indexOf({ assigned_to: 'none' }, small.accountId)).toBe('handovers_unassigned');
    expect(await indexOf({ assigned_to: 'none', status: 'open' })).toMatch(/handovers_(status|open|expiring)/);
  });
});

test('an Idempotency-Key gives the first answer again', async () => {
  const { contact_id } = await written();
  const sent = { key: account.apiKey, body: { contact_id, reason: 'x' }, headers: { 'idempotency-key': 'once' } };
  const first = await api.request<Handover>('POST', '/v1/handovers', sent);
  await resolve(first.body.id);
  expect((await api.request('POST', '/v1/handovers', sent)).body).toEqual(first.body);
  expect(await told()).toHaveLength(1);
});

describe('the settings for handovers', () => {
  type Settings = { words: string[]; expire_after_hours: number };
  const change = (body: unknown) => as<Settings>('PATCH', '/v1/handover-settings', body);
  const settings = async () => (await as<Settings>('GET', '/v1/handover-settings')).body;

  test('are those of nobody else, and change by what is given', async () => {
    const usual = { words: [], expire_after_hours: usualHandoverHours };
    expect(await settings()).toEqual(usual);
    const { status, body } = await change({ words: [' Agent', 'AGENT', 'ein  Mensch', 'Ａgent'] });
    expect([status, body]).toEqual([200, { words: ['agent', 'ein mensch'], expire_after_hours: usualHandoverHours }]);
    expect((await change({ expire_after_hours: 24 })).body).toEqual({ ...body, expire_after_hours: 24 });
    expect(await settings()).toEqual({ ...body, expire_after_hours: 24 });
    expect((await inDashboard('GET', '/handover-settings')).body).toEqual(await settings());
    expect((await change({})).body).toEqual(await settings());
    const { apiKey } = await api.createAccount();
    expect((await as('GET', '/v1/handover-settings', undefined, apiKey)).body).toEqual(usual);
  });

  test('say how long a handover stays open, from then on, and by which words contacts ask for it', async () => {
    const before = await requested();
    await change({ words: ['agent'], expire_after_hours: 1 });
    const after = await requested();
    const spanOf = ({ created_at, expires_at }: Handover) => Date.parse(expires_at) - Date.parse(created_at);
    expect([spanOf(await read(before.id)), spanOf(after)]).toEqual([usualHandoverHours * 3_600_000, 3_600_000]);
    const message = anInboundMessage({ sender: { external_id: newUuid() }, text: ' Agent\n' });
    for (const message_id of ['1', '1', '2'])
      await as('POST', `/v1/channels/${channelId}/inbound`, { ...message, message_id });
    const { data } = await list('status=open&limit=1');
    expect(data).toMatchObject([{ requested_by: 'contact', reason: 'Agent' }]);
    expect(await told()).toHaveLength(3);
    const { apiKey } = await api.createAccount();
    const channel = await as('POST', '/v1/channels', { type: 'api', name: 'Theirs' }, apiKey);
    await as('POST', `/v1/channels/${channel.body.id}/inbound`, { ...message, message_id: '1' }, apiKey);
    expect((await as<Page>('GET', '/v1/handovers', undefined, apiKey)).body.data).toEqual([]);
  });

  test.for([
    [{ words: 'agent' }],
    [{ words: [''] }],
    [{ words: [7] }],
    [{ words: ['x'.repeat(41)] }],
    [{ words: ['a\0b'] }],
    [{ words: ['\ud800'] }],
    [{ words: ['Stop'] }],
    [{ words: ['subscribe'] }],
    [{ words: Array.from({ length: 21 }, (_, index) => `word ${index}`) }],
    [{ words: null }],
    [{ expire_after_hours: 0 }],
    [{ expire_after_hours: 8_761 }],
    [{ expire_after_hours: 1.5 }],
    [{ expire_after_hours: '24' }],
    [{ expire_after_hours: 1e300 }],
    [{ notify: true }],
  ])('refuse %j with 422, and stay', async ([body]) => {
    expect((await change(body)).status).toBe(422);
    expect(await settings()).toEqual({ words: [], expire_after_hours: usualHandoverHours });
  });
});

describe('a mail for each handover', () => {
  const want = (notify_handovers: unknown, session = account.session) =>
    api.request('PUT', '/dashboard/api/handover-mails', { session, body: { notify_handovers } });
  const stored = () => api.db<{ recipient: string; body: string }[]>`
    select recipient, body from mails where account_id = ${account.accountId} and kind = 'handover_requested' order by id`;

  test('goes to the users who have asked for it, once for each handover, and to nobody else', async () => {
    await aColleague(api.db, account.accountId, 'agent');
    const colleague = await aColleague(api.db, account.accountId, 'agent');
    const stranger = await api.createAccount();
    await want(true, stranger.session);
    expect((await inDashboard('GET', '/handover-mails')).body).toEqual({ notify_handovers: false });
    await requested();
    for (const session of [account.session, await createSession(api.db, colleague)])
      expect((await want(true, session)).body).toEqual({ notify_handovers: true });
    expect((await inDashboard('GET', '/handover-mails')).body).toEqual({ notify_handovers: true });
    const { contact_id, id } = await requested();
    await request({ contact_id });
    const sent = await stored();
    expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(
      [account.email, `${colleague}@example.com`].toSorted(),
    );
    for (const { body } of sent) {
      expect(body).toContain(id);
      expect(body).not.toContain('angry');
    }
    const starts = api.dispatched.filter(
      ({ work, row }) => work.kind === 'mail' && row.accountId === account.accountId,
    );
    expect(starts).toHaveLength(2);
    await want(false);
    await requested();
    expect((await stored()).slice(2)).toMatchObject([{ recipient: `${colleague}@example.com` }]);
    await inDashboard('DELETE', `/users/${showId('user', colleague)}`);
    await requested();
    expect(await stored()).toHaveLength(3);
  });

  test('leads to the page of its conversation, or of its contact while there is none', async () => {
    await want(true);
    const talking = await requested();
    const silent = await aSilentContact();
    await request({ contact_id: silent });
    const texts = (await mails.deliver()).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain(`${api.url}/inbox/${talking.conversation_id}`);
    expect(texts[1]).toContain(`${api.url}/contacts/${silent}`);
  });

  test(`is for ${recipientsAtMost} users at most, also of those who ask at once; who has it may ask again`, async () => {
    const sessions: string[] = [];
    for (let count = 0; count <= recipientsAtMost; count += 1)
      sessions.push(await createSession(api.db, await aColleague(api.db, account.accountId, 'agent')));
    const answers = await Promise.all(sessions.map((session) => want(true, session)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: recipientsAtMost }, () => 200), 409]);
    expect((await want(true, sessions[statuses.indexOf(200)])).status).toBe(200);
    await requested();
    expect(await stored()).toHaveLength(recipientsAtMost);
  });

  test.for([[undefined], [null], ['yes'], [1], [[true]]])('is refused with 422 for %j', async ([wanted]) => {
    expect((await want(wanted)).status).toBe(422);
    expect((await inDashboard('GET', '/handover-mails')).body).toEqual({ notify_handovers: false });
  });
});
