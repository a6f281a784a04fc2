import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { connectForStreams } from '../../../src/api/stream/streams.ts';
import { createSession, deleteSession, findSessionUser } from '../../../src/shared/accounts/sessions.ts';
import { recordAttempt, noEvidence } from '../../../src/shared/deliveries/attempts.ts';
import { endRound } from '../../../src/shared/deliveries/rounds.ts';
import { createHintFinder, type HintFinder } from '../../../src/shared/hints/find-hints.ts';
import type { Topic } from '../../../src/shared/facts/topics.ts';
import type { Hint } from '../../../src/shared/hints/schema.ts';
import type { ToldOrder } from '../../../src/shared/facts/told-order.ts';
import { withReactions } from '../../../src/shared/facts/tell.ts';
import { createTransact } from '../../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../../src/shared/reactions.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { cancelRun } from '../../../src/shared/runs/life/cancel.ts';
import { deleteTag, insertTag } from '../../../src/shared/tags/queries.ts';
import { connectOverheard, createTestDatabase } from '../../helpers/database.ts';
import { aDelivery, manyDeliveries } from '../../helpers/deliveries.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { aBareAccount, aColleague, ageSessions } from '../../helpers/states/accounts.ts';
import { haveManyConversations } from '../../helpers/states/conversations.ts';
import {
  aBareWebhook,
  ageMessages,
  ageSuccesses,
  aSilentContact,
  beginSecondRound,
  sayMore,
} from '../../helpers/states/hints.ts';
import { haveManyRuns, haveManyWaiting } from '../../helpers/states/runs.ts';

const { db, target, drop } = await createTestDatabase();
const forStreams = connectForStreams(target);
afterAll(async () => {
  await forStreams.end();
  await drop();
});

let accountId: string;
let webhookId: string;
let finder: HintFinder;
beforeEach(async () => {
  accountId = await aBareAccount(db);
  webhookId = await aBareWebhook(db, accountId);
  finder = createHintFinder(forStreams);
});

/** Nothing follows what is written in it. */
const transact = withReactions(
  { ...reactions, toEvents: [] },
  createTransact(db, () => {}),
);

/** An order as events tell it. */
const anOrderOf = (id: string): ToldOrder => ({
  id,
  external_id: 'o-1',
  number: '1',
  status: 'shipped',
  currency: 'EUR',
  total: 100,
  placed_at: '2026-01-01T00:00:00.000Z',
});

const find = async (): Promise<readonly Hint[]> => (await finder.find([accountId])).get(accountId) ?? [];
const topicsOf = (hints: readonly Hint[]): Topic[] => hints.map(({ topic }) => topic);
const show = (id: string) => showId('delivery', id);
const fillLog = () => manyDeliveries(db, { accountId, webhookId, status: 'delivered', count: 300 });

const aTag = async (name: string, of = accountId): Promise<string> => (await insertTag(db, of, name))?.id ?? '';

const succeed = (deliveryId: string) =>
  recordAttempt(
    db,
    { deliveryId, round: 1, kind: 'scheduled', number: 1 },
    {
      outcome: 'succeeded',
      statusCode: 200,
      durationMs: 1,
      startedAt: new Date(),
      generation: 1,
      evidence: noEvidence,
    },
  );

test('nothing is told twice, nor what was there before', async () => {
  await aDelivery(db, { accountId, webhookId, status: 'delivered' });
  await finder.follow(accountId);
  expect(await find()).toEqual([]);
  const id = await aDelivery(db, { accountId, webhookId, status: 'parked' });
  expect(await find()).toEqual([{ topic: 'deliveries', ids: [show(id)], more: false }]);
  expect(await find()).toEqual([]);
});

test('a delivery in progress is followed to its end, however many are newer', async () => {
  const old = await aDelivery(db, { accountId, webhookId, status: 'retrying' });
  await fillLog();
  await finder.follow(accountId);
  await endRound(db, { deliveryId: old, round: 1 }, 'failed');
  expect(await find()).toEqual([{ topic: 'deliveries', ids: [show(old)], more: false }]);
});

test('so is one of an account that is taken up while others are followed already', async () => {
  await finder.follow(accountId);
  const other = await aBareAccount(db);
  const itsWebhook = await aBareWebhook(db, other);
  const old = await aDelivery(db, { accountId: other, webhookId: itsWebhook, status: 'retrying' });
  await manyDeliveries(db, { accountId: other, webhookId: itsWebhook, status: 'delivered', count: 300 });
  await finder.find([accountId]);
  await finder.follow(other);
  await endRound(db, { deliveryId: old, round: 1 }, 'failed');
  const found = await finder.find([accountId, other]);
  expect(found.get(other)).toEqual([{ topic: 'deliveries', ids: [show(old)], more: false }]);
  expect(found.get(accountId) ?? []).toEqual([]);
});

test('an event tells of its contact and its order, however many of both are newer', async () => {
  const contactId = await aSilentContact(db, accountId);
  for (let newer = 0; newer < 101; newer += 1) await aSilentContact(db, accountId);
  const order = showId('order', newUuid());
  await finder.follow(accountId);
  const told = { ...anOrderOf(order), from: 'placed', to: 'shipped' };
  const changed = { name: 'order_status_changed', order: told } as const;
  await transact((tx) => tx.tell({ ...changed, accountId, contactId, occurredAt: new Date() }));
  const hints = await find();
  expect(hints.find(({ topic }) => topic === 'contacts')?.ids).toEqual([showId('contact', contactId)]);
  expect(hints.find(({ topic }) => topic === 'orders')?.ids).toEqual([order]);
});

test('a run that waits is told when it ends, however many runs are newer', async () => {
  await aSilentContact(db, accountId);
  const flowId = await aFlow(db, accountId, { blocks: [{ id: 'a_day', type: 'delay', for: 'P1D' }] });
  await haveManyWaiting(db, { flowId, blockId: 'a_day', count: 1 });
  const [old] = await db<{ id: string }[]>`select id from runs where flow_id = ${flowId}`;
  await haveManyRuns(db, flowId, 2_000);
  await finder.follow(accountId);
  await transact((tx) => cancelRun(tx, { runId: old?.id ?? '', reason: 'cancelled' }));
  expect((await find()).find(({ topic }) => topic === 'runs')?.ids).toEqual([showId('run', old?.id ?? '')]);
});

test('an old delivery that is replayed is told when its round begins', async () => {
  const old = await aDelivery(db, { accountId, webhookId, status: 'failed' });
  await fillLog();
  await finder.follow(accountId);
  await beginSecondRound(db, old);
  expect((await find())[0]?.ids).toEqual([show(old)]);
});

test('an old delivery that begins and succeeds between two looks is told all the same', async () => {
  const old = await aDelivery(db, { accountId, webhookId, status: 'failed' });
  await fillLog();
  await ageSuccesses(db, webhookId);
  await finder.follow(accountId);
  await succeed(old);
  expect((await find())[0]?.ids).toEqual([show(old)]);
});

test('what is deleted is told once, without an id, also where nothing is left', async () => {
  const [first, last] = [await aTag('first'), await aTag('last')];
  await finder.follow(accountId);
  for (const id of [first, last]) {
    await deleteTag(db, accountId, id);
    expect(await find()).toEqual([{ topic: 'tags', ids: [], more: true }]);
    expect(await find()).toEqual([]);
  }
});

test('a deletion that a look did not tell, for it failed, is told by the next', async () => {
  const id = await aTag('vip');
  await finder.follow(accountId);
  await deleteTag(db, accountId, id);
  await db`alter table outbound_messages rename to away`;
  await expect(find()).rejects.toThrow(/outbound_messages/);
  await db`alter table away rename to outbound_messages`;
  expect(await find()).toEqual([{ topic: 'tags', ids: [], more: true }]);
});

test('of many accounts only the one is told of what it has deleted', async () => {
  const accounts = [accountId];
  for (let more = 0; more < 50; more += 1) accounts.push(await aBareAccount(db));
  const tags = new Map<string, string>();
  for (const one of accounts) tags.set(one, await aTag('vip', one));
  for (const one of accounts) await finder.follow(one);
  for (const one of [accountId, accounts.at(-1) ?? '']) {
    await deleteTag(db, one, tags.get(one) ?? '');
    expect([...(await finder.find(accounts))]).toEqual([[one, [{ topic: 'tags', ids: [], more: true }]]]);
  }
});

test('a session is told when it is opened and when it ends, and not when it is used', async () => {
  const userId = await aColleague(db, accountId, 'agent');
  await finder.follow(accountId);
  const told = [{ topic: 'sessions', ids: [], more: true }];
  const token = await createSession(db, userId);
  expect(await find()).toEqual(told);
  await ageSessions(db, userId, { minutes: 2 });
  expect(await findSessionUser(db, token)).toMatchObject({ userId });
  expect(await find()).toEqual([]);
  await deleteSession(db, token);
  expect(await find()).toEqual(told);
});

test('of more in progress than are followed, a hint without an id comes now and then', async () => {
  await manyDeliveries(db, { accountId, webhookId, status: 'retrying', count: 350 });
  await finder.follow(accountId);
  await find();
  let told: readonly Hint[] = [];
  for (let look = 0; look < 6 && told.length === 0; look += 1) {
    await aSilentContact(db, accountId);
    told = (await find()).filter(({ topic }) => topic === 'deliveries');
  }
  expect(told).toEqual([{ topic: 'deliveries', ids: [], more: true }]);
});

test('while nothing is written in the database, a look is one short statement', async () => {
  const statements: string[] = [];
  const overheard = connectOverheard(target, (statement) => statements.push(statement));
  try {
    const quiet = createHintFinder(overheard);
    await quiet.follow(accountId);
    // The tests beside this one write on the same server.
    const look = async () => {
      statements.length = 0;
      await quiet.find([accountId]);
      return statements.length;
    };
    await expect.poll(look, { timeout: 60_000 }).toBe(1);
    expect(statements[0]).toContain('pg_current_snapshot');
  } finally {
    await overheard.end();
  }
});

test('a look that fails is made up for by the next', async () => {
  await finder.follow(accountId);
  const id = await aDelivery(db, { accountId, webhookId, status: 'parked' });
  await db`alter table outbound_messages rename to away`;
  await expect(find()).rejects.toThrow(/outbound_messages/);
  await db`alter table away rename to outbound_messages`;
  expect((await find()).flatMap(({ ids }) => ids)).toContain(show(id));
});

test('a message that came while looks failed is told by the next one, however long that took', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await haveManyConversations(db, accountId, { contacts: 1, messages: 0 });
  await finder.follow(accountId);
  await sayMore(db, accountId, 1);
  await db`alter table outbound_messages rename to away`;
  await expect(find()).rejects.toThrow(/outbound_messages/);
  await db`alter table away rename to outbound_messages`;
  vi.advanceTimersByTime(60_000);
  await ageMessages(db, accountId, 60);
  const [message] = await db<{ id: string }[]>`select id from messages where account_id = ${accountId}`;
  expect((await find()).find(({ topic }) => topic === 'messages')).toEqual({
    topic: 'messages',
    ids: [showId('message', message?.id ?? '')],
    more: false,
  });
});

test('a message behind more of another account than a look reads is told without its id', async () => {
  const busy = await aBareAccount(db);
  // Else they would stand before those of the next tests as well.
  onTestFinished(() => ageMessages(db, busy, 60));
  await haveManyConversations(db, busy, { contacts: 1, messages: 0 });
  await haveManyConversations(db, accountId, { contacts: 1, messages: 0 });
  await finder.follow(accountId);
  await sayMore(db, accountId, 1);
  await sayMore(db, busy, 2_001);
  const hints = await find();
  for (const topic of ['messages', 'conversations', 'contacts'])
    expect(hints.find((hint) => hint.topic === topic)).toEqual({ topic, ids: [], more: true });
});

test('after a rest, or where nobody was followed, everything may have changed', async () => {
  await finder.follow(accountId);
  finder.rest();
  const hints = await find();
  expect(hints.every(({ ids, more }) => ids.length === 0 && more)).toBe(true);
  expect(topicsOf(hints)).toContain('runs');
  expect(await find()).toEqual([]);
});

test('an account that is not asked for is forgotten, and taken up anew when it is', async () => {
  const other = await aBareAccount(db);
  const itsWebhook = await aBareWebhook(db, other);
  const its = { accountId: other, webhookId: itsWebhook } as const;
  const old = await aDelivery(db, { ...its, status: 'failed' });
  await manyDeliveries(db, { ...its, status: 'delivered', count: 300 });
  await finder.follow(accountId);
  await finder.follow(other);
  await finder.find([accountId, other]);
  await beginSecondRound(db, old);
  // Nobody of the other account listens as that is told, nor as nothing more is.
  await finder.find([accountId]);
  await expect.poll(async () => [...(await finder.find([accountId, other]))], { timeout: 30_000 }).toEqual([]);
  await endRound(db, { deliveryId: old, round: 2 }, 'failed');
  expect((await finder.find([accountId, other])).get(other)?.[0]?.ids).toEqual([show(old)]);
});

test('every account hears of its own, however many are asked for', async () => {
  const accounts = [accountId];
  for (let more = 0; more < 50; more += 1) accounts.push(await aBareAccount(db));
  for (const one of accounts) await finder.follow(one);
  const contacts = new Map<string, string>();
  for (const one of accounts) contacts.set(one, showId('contact', await aSilentContact(db, one)));
  const found = await finder.find(accounts);
  const told = accounts.map((one) => [
    one,
    found
      .get(one)
      ?.flatMap(({ ids }) => ids)
      .join(),
  ]);
  expect(new Map(told.map(([one = '', ids = '']) => [one, ids]))).toEqual(contacts);
});
