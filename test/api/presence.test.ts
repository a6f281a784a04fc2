import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { goneAfterMs } from '../../src/shared/presence/register.ts';
import { createPresenceTeller } from '../../src/shared/presence/tell-presence.ts';
import { type ApiOptions, startApi, type TestAccount, type TestApi, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { openStream, type TestStream } from '../helpers/stream.ts';

const api = await useApi();

const startOwn = async (streaming: NonNullable<ApiOptions['streaming']>): Promise<TestApi> => {
  const own = await startApi({ streaming });
  onTestFinished(() => own.stop());
  return own;
};

type Who = { session: string; user: string; tab: string };

const anOwner = ({ session, userId }: TestAccount, tab = 'tab-of-owner'): Who => ({
  session,
  user: showId('user', userId),
  tab,
});

const aMate = async ({ accountId }: TestAccount, at: TestApi = api): Promise<Who> => {
  const userId = await aColleague(at.db, accountId, 'agent');
  return { session: await createSession(at.db, userId), user: showId('user', userId), tab: 'tab-of-mate' };
};

const aFlow = async ({ apiKey: key }: TestAccount, at: TestApi = api): Promise<string> =>
  (await at.request<{ id: string }>('POST', '/v1/flows', { key, body: { name: 'Hello' } })).body.id;

const listen = async ({ session }: Pick<Who, 'session'>, at: TestApi = api): Promise<TestStream> => {
  const stream = await openStream(at, session);
  onTestFinished(stream.close);
  return stream;
};

const beat = ({ session, tab }: Who, subject: string, part: string | null = null, at: TestApi = api) =>
  at.request('PUT', `/dashboard/api/presence/${subject}/${tab}`, { session, body: { part } });

const leave = ({ session, tab }: Who, subject: string, at: TestApi = api) =>
  at.request('DELETE', `/dashboard/api/presence/${subject}/${tab}`, { session });

type Told = { subject: string; people: { user_id: string; tab: string; part: string | null }[] };

/** What the stream was last told of each subject. */
const toldOf = (stream: TestStream): Record<string, Told['people']> =>
  Object.fromEntries(
    Array.from(stream.text().matchAll(/event: presence\ndata: (.*)\n\n/g), ([, data = '']) => {
      const { subject, people }: Told = JSON.parse(data);
      return [subject, people];
    }),
  );

const untilTold = async (stream: TestStream, subject: string, people: Told['people']): Promise<void> => {
  await expect.poll(() => toldOf(stream)[subject], { timeout: 15_000 }).toEqual(people);
};

test('two users at a flow see each other, what each of them edits, and when one leaves', async () => {
  const account = await api.createAccount();
  const [ana, ben] = [anOwner(account), await aMate(account)];
  const flow = await aFlow(account);
  const [ofAna, ofBen] = [await listen(ana), await listen(ben)];
  expect((await beat(ana, flow)).status).toBe(204);
  const anaThere = { user_id: ana.user, tab: ana.tab, part: null };
  await untilTold(ofAna, flow, [anaThere]);
  await beat(ben, flow, 'stock');
  const benThere = { user_id: ben.user, tab: ben.tab, part: 'stock' };
  await untilTold(ofAna, flow, [anaThere, benThere]);
  await untilTold(ofBen, flow, [anaThere, benThere]);
  await beat(ana, flow, 'ask_size');
  await untilTold(ofBen, flow, [{ ...anaThere, part: 'ask_size' }, benThere]);
  expect((await leave(ana, flow)).status).toBe(204);
  await untilTold(ofBen, flow, [benThere]);
});

test('a user who is not at a subject hears of nobody there, and neither does another account', async () => {
  const [account, other] = [await api.createAccount(), await api.createAccount()];
  const [ana, ben, eve] = [anOwner(account), await aMate(account), anOwner(other, 'tab-of-eve')];
  const [flow, elsewhere, theirs] = [await aFlow(account), await aFlow(account), await aFlow(other)];
  const [ofBen, ofEve] = [await listen(ben), await listen(eve)];
  await beat(ana, flow, 'stock');
  await beat(ben, elsewhere);
  expect((await beat(eve, flow)).status).toBe(404);
  await beat(eve, theirs);
  await untilTold(ofBen, elsewhere, [{ user_id: ben.user, tab: ben.tab, part: null }]);
  await untilTold(ofEve, theirs, [{ user_id: eve.user, tab: eve.tab, part: null }]);
  expect(Object.keys(toldOf(ofBen))).toEqual([elsewhere]);
  expect(Object.keys(toldOf(ofEve))).toEqual([theirs]);
  expect(ofEve.text()).not.toContain(ana.user);
});

test('a subject that is unknown, deleted or no subject is refused, and a conversation or contact is one', async () => {
  const account = await api.createAccount();
  const { apiKey: key } = account;
  const ana = anOwner(account);
  const channel = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  const inbound = { key, body: anInboundMessage() };
  const received = await api.request<{ contact_id: string }>(
    'POST',
    `/v1/channels/${channel.body.id}/inbound`,
    inbound,
  );
  const conversations = await api.request<{ data: { id: string }[] }>('GET', '/v1/conversations', { key });
  expect((await beat(ana, conversations.body.data[0]?.id ?? '')).status).toBe(204);
  expect((await beat(ana, received.body.contact_id)).status).toBe(204);
  expect((await beat(ana, showId('flow', newUuid()))).status).toBe(404);
  expect((await beat(ana, channel.body.id)).status).toBe(404);
  expect((await beat(ana, 'flow')).status).toBe(404);
  expect((await leave(ana, 'flow')).status).toBe(404);
  expect((await beat({ ...ana, tab: 'short' }, received.body.contact_id)).status).toBe(422);
  expect((await beat(ana, received.body.contact_id, 'no blanks')).status).toBe(422);
});

test('a stream that begins hears who is where its session is', async () => {
  const account = await api.createAccount();
  const [ana, ben] = [anOwner(account), await aMate(account)];
  const flow = await aFlow(account);
  const first = await listen(ana);
  await beat(ana, flow);
  await beat(ben, flow);
  const there = [ana, ben].map(({ user, tab }) => ({ user_id: user, tab, part: null }));
  await untilTold(first, flow, there);
  expect(Object.keys(toldOf(first))).toEqual([flow]);
  const second = await listen(ana);
  await untilTold(second, flow, there);
});

test('a tab without a beat for 30 seconds has gone, and one that goes on stays', async () => {
  let nowMs = 0;
  const own = await startOwn({ now: () => nowMs, goneEveryMs: 10 });
  const account = await own.createAccount();
  const [ana, ben] = [anOwner(account), await aMate(account, own)];
  const flow = await aFlow(account, own);
  const stream = await listen(ana, own);
  const [anaThere, benThere] = [ana, ben].map(({ user, tab }) => ({ user_id: user, tab, part: null }));
  for (const who of [ana, ben]) expect((await beat(who, flow, null, own)).status).toBe(204);
  await untilTold(
    stream,
    flow,
    [anaThere, benThere].filter((one) => one !== undefined),
  );
  nowMs = goneAfterMs - 1;
  await beat(ana, flow, null, own);
  nowMs = goneAfterMs;
  await untilTold(
    stream,
    flow,
    [anaThere].filter((one) => one !== undefined),
  );
});

test('a page hears who comes by another process', async () => {
  const account = await api.createAccount();
  const ana = anOwner(account);
  const flow = await aFlow(account);
  const stream = await listen(ana);
  expect((await beat(ana, flow)).status).toBe(204);
  const userId = await aColleague(api.db, account.accountId, 'agent');
  const log = pino({ level: 'silent' });
  const elsewhere = createPresenceTeller({ sql: api.db, processId: newUuid(), log });
  onTestFinished(elsewhere.stop);
  const { accountId } = account;
  const comes = { accountId, userId, sessionId: newUuid(), tab: 'elsewhere', subject: flow, part: 'stock' };
  elsewhere.tell({ ...comes, hasLeft: false });
  const anaThere = { user_id: ana.user, tab: ana.tab, part: null };
  await untilTold(stream, flow, [anaThere, { user_id: showId('user', userId), tab: 'elsewhere', part: 'stock' }]);
  elsewhere.tell({ ...comes, hasLeft: true });
  await untilTold(stream, flow, [anaThere]);
});

test('a session that sends more than 120 beats in a minute is refused, and others are not', async () => {
  const account = await api.createAccount();
  const [ana, ben] = [anOwner(account), await aMate(account)];
  const flow = await aFlow(account);
  for (let sent = 0; sent < 120; sent += 1) expect((await beat(ana, flow, `part-${sent}`)).status).toBe(204);
  const refused = await beat(ana, flow);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await beat(ben, flow)).status).toBe(204);
});

test('a subject tells of no more tabs than it may have, and an API key has no presence', async () => {
  const presenceBounds = { ofSession: 8, ofSubject: 2, ofAccount: 100, ofProcess: 100 };
  const own = await startOwn({ presenceBounds });
  const account = await own.createAccount();
  const flow = await aFlow(account, own);
  const mates = [anOwner(account), await aMate(account, own), await aMate(account, own)];
  const [first, second, third] = mates;
  if (!first || !second || !third) throw new Error('three');
  const stream = await listen(first, own);
  for (const mate of mates) expect((await beat(mate, flow, null, own)).status).toBe(204);
  await beat(first, flow, 'stock', own);
  await untilTold(stream, flow, [
    { user_id: first.user, tab: first.tab, part: 'stock' },
    { user_id: second.user, tab: second.tab, part: null },
  ]);
  const { apiKey: key } = account;
  const byKey = await own.request('PUT', `/v1/presence/${flow}/${first.tab}`, { key, body: { part: null } });
  expect(byKey.status).toBe(404);
});

test('hints go on while everybody beats, and the log has nothing of who is where', async () => {
  const account = await api.createAccount();
  const ana = anOwner(account);
  const flow = await aFlow(account);
  const stream = await listen(ana);
  for (let sent = 0; sent < 50; sent += 1) await beat(ana, flow, `secret-part-${sent}`);
  await api.request('POST', '/v1/tags', { key: account.apiKey, body: { name: 'vip' } });
  await stream.untilHint('tags');
  await vi.waitUntil(() => toldOf(stream)[flow]?.[0]?.part === 'secret-part-49', { timeout: 15_000 });
  expect(api.logged.join()).not.toContain('secret-part');
});

const aConversation = async ({ apiKey: key }: TestAccount): Promise<string> => {
  const channel = { key, body: { type: 'api', name: 'Shop' } };
  const { id } = (await api.request<{ id: string }>('POST', '/v1/channels', channel)).body;
  const inbound = { key, body: anInboundMessage() };
  const { contact_id } = (await api.request<{ contact_id: string }>('POST', `/v1/channels/${id}/inbound`, inbound))
    .body;
  const path = `/v1/conversations?contact_id=${contact_id}`;
  return (await api.request<{ data: { id: string }[] }>('GET', path, { key })).body.data[0]?.id ?? '';
};

test('a session in the inbox hears who is at and types in each conversation, and in no other account', async () => {
  const [account, other] = [await api.createAccount(), await api.createAccount()];
  const [ana, ben, eve] = [anOwner(account), await aMate(account), anOwner(other)];
  const [first, second, theirs] = [
    await aConversation(account),
    await aConversation(account),
    await aConversation(other),
  ];
  const flow = await aFlow(account);
  const [ofAna, ofEve] = [await listen(ana), await listen(eve)];
  const benThere = { user_id: ben.user, tab: ben.tab, part: null };
  await beat(ben, first);
  await beat(ben, flow);
  expect((await beat(ana, 'inbox')).status).toBe(204);
  expect((await beat(eve, 'inbox')).status).toBe(204);
  await untilTold(ofAna, first, [benThere]);
  await beat(ben, second, 'reply');
  await untilTold(ofAna, second, [{ ...benThere, part: 'reply' }]);
  await leave(ben, second);
  await untilTold(ofAna, second, []);
  await beat(eve, theirs);
  await untilTold(ofEve, theirs, [{ user_id: eve.user, tab: eve.tab, part: null }]);
  const late = await listen(ana);
  await untilTold(late, first, [benThere]);
  expect(Object.keys(toldOf(ofAna)).toSorted()).toEqual([first, second].toSorted());
  expect(Object.keys(toldOf(ofEve))).toEqual([theirs]);
  expect((await leave(ana, 'inbox')).status).toBe(204);
  await beat(ben, second);
  await beat(ana, flow);
  await untilTold(late, flow, [benThere, { user_id: ana.user, tab: ana.tab, part: null }]);
  expect(toldOf(late)[second]).toBeUndefined();
});
