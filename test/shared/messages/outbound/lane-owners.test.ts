import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { newUuid } from '../../../../src/shared/ids.ts';
import { queueMessages, type QueuedMessage } from '../../../../src/shared/messages/outbound/queue-messages.ts';
import { recordSent } from '../../../../src/shared/messages/outbound/record-sent.ts';
import { closeLane, recordSlot } from '../../../../src/shared/messages/outbound/record-slot.ts';
import { giveBackLanes, takeSlot, takeSlots, type Head } from '../../../../src/shared/messages/outbound/slots.ts';
import { withdrawOfFlows } from '../../../../src/shared/messages/outbound/withdraw.ts';
import { laneWork } from '../../../../src/shared/messages/outbound/work.ts';
import { claimOverdue } from '../../../../src/shared/platform/dispatch/overdue.ts';
import { unreachable } from '../../../../src/shared/unreachable.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { aChannel, aTalk } from '../../../helpers/messages.ts';
import { makeSendingOverdue } from '../../../helpers/states/sendings.ts';

// The outboxes of two processes and a workflow pass one lane to each other in every order, and agents answer in between, with the statements of the
// product.

const world = await startDeliveryWorld();
afterAll(() => world.stop());

/** More in the environment: LANE_RUNS. */
const numRuns = Number(process.env['LANE_RUNS'] || 60);

type Who = 'a' | 'b' | 'workflow';
type Outcome = 'sent' | 'failed' | 'final';
type Action =
  | { type: 'queue'; count: number; ofFlow: boolean }
  | { type: 'take' | 'send' | 'giveBack' | 'crash'; who: Who }
  | { type: 'record'; who: Who; outcome: Outcome }
  | { type: 'expire' | 'claim' | 'answer' }
  | { type: 'atOnce'; actions: Action[] };

const whos = fc.constantFrom<Who>('a', 'b', 'workflow');
const simple: fc.Arbitrary<Action>[] = [
  fc.record({ type: fc.constant('queue' as const), count: fc.integer({ min: 1, max: 3 }), ofFlow: fc.boolean() }),
  fc.record({ type: fc.constant('take' as const), who: whos }),
  fc.record({ type: fc.constant('send' as const), who: whos }),
  fc.record({
    type: fc.constant('record' as const),
    who: whos,
    outcome: fc.constantFrom<Outcome>('sent', 'sent', 'failed', 'final'),
  }),
];
const anAnswer = fc.record({ type: fc.constant('answer' as const) });
const rare: fc.Arbitrary<Action>[] = [
  fc.record({ type: fc.constantFrom('giveBack' as const, 'crash' as const), who: whos }),
  fc.record({ type: fc.constantFrom('expire' as const, 'claim' as const) }),
  anAnswer,
  fc.record({
    type: fc.constant('atOnce' as const),
    actions: fc.array(fc.oneof(...simple, anAnswer), { minLength: 2, maxLength: 4 }),
  }),
];
const actions = fc.array(
  fc.oneof(
    ...simple.map((arbitrary) => ({ arbitrary, weight: 4 })),
    ...rare.map((arbitrary) => ({ arbitrary, weight: 1 })),
  ),
  { minLength: 5, maxLength: 60 },
);

/** An attempt that an actor has begun; `mayBegin` until its lease is over. */
type UnderWay = { laneId: string; head: Head; wasSent: boolean; mayBegin: boolean };

const aLane = async () => {
  const talk = await aTalk(world, await aChannel(world, 'https://127.0.0.1:1/'));
  const ids = { a: newUuid(), b: newUuid() };
  const underWay = new Map<Who, UnderWay>();
  const queued: string[] = [];
  const places: QueuedMessage[] = [];
  /** Each exchange, by the id of its message, and those that may come again: their attempt has failed, or nobody knows what it came to. */
  const sent: string[] = [];
  const repeatable = new Set<string>();
  const deps = { transact: world.transact };

  const lane = async () => {
    const [row] = await world.db<{ id: string; sender: string | null }[]>`
      select id, sender from sendings where contact_id = ${talk.contactId}`;
    return row;
  };
  const statusOf = async (id: string) => {
    const [row] = await world.db<{ status: string; attempts: number }[]>`
      select status, attempts_made as attempts from outbound_messages where message_id = ${id}`;
    return row;
  };

  const take = async (who: Who): Promise<void> => {
    const row = await lane();
    if (!row || underWay.has(who)) return;
    const taken = await begin(who, row.id);
    if (taken === 'empty') await closeLane(world.transact, { sendingId: row.id });
    else if (typeof taken === 'object' && taken.at !== null)
      underWay.set(who, { laneId: row.id, head: taken, wasSent: false, mayBegin: true });
  };

  const begin = async (who: Who, laneId: string): Promise<Head | 'empty' | 'over' | undefined> => {
    if (who !== 'workflow') return (await takeSlots(world.db, { laneIds: [laneId], sender: ids[who] })).get(laneId);
    const key = { sendingId: laneId, resumes: 0 };
    const head = await takeSlot(world.db, key, undefined);
    // Time passes until its next attempt.
    return typeof head === 'object' && head.at === null && head.dueInMs > 0
      ? takeSlot(world.db, key, { messageId: head.message.id, number: head.attemptsMade + 1 })
      : head;
  };

  const send = async (who: Who): Promise<void> => {
    const attempt = underWay.get(who);
    if (!attempt || attempt.wasSent) return;
    if (!attempt.mayBegin) return giveBack(who);
    const { id } = attempt.head.message;
    for (const [other, { wasSent }] of underWay) {
      if (other !== who && wasSent) expect.fail(`${who} sends beside ${other}`);
    }
    for (const earlier of queued.slice(0, queued.indexOf(id)))
      expect((await statusOf(earlier))?.status).not.toBe('queued');
    expect((await statusOf(id))?.status).toBe('queued');
    if (sent.includes(id)) expect([...repeatable]).toContain(id);
    repeatable.delete(id);
    attempt.wasSent = true;
    sent.push(id);
  };

  const giveBack = async (who: Who): Promise<void> => {
    const attempt = underWay.get(who);
    if (!attempt || attempt.wasSent || who === 'workflow') return;
    await giveBackLanes(world.db, { laneIds: [attempt.laneId], sender: ids[who] });
    underWay.delete(who);
  };

  const record = async (who: Who, outcome: Outcome): Promise<void> => {
    const attempt = underWay.get(who);
    if (!attempt?.wasSent) return;
    const { head, laneId } = attempt;
    const [messageId, number] = [head.message.id, head.attemptsMade + 1];
    const sender = who === 'workflow' ? undefined : ids[who];
    const message = { laneId, messageId, seq: head.seq, attempts: number, statusCode: 200, ref: undefined };
    const known = sender && outcome === 'sent' ? await recordSent(world.db, { sent: [message], sender }) : new Map();
    const made = { messageId, number, outcome: outcome === 'sent' ? ('sent' as const) : ('failed' as const) };
    if (!known.has(laneId)) await recordSlot(deps, { ...made, final: outcome === 'final' }, { sender });
    if (outcome === 'failed') repeatable.add(messageId);
    underWay.delete(who);
  };

  const crash = (who: Who): void => {
    const attempt = underWay.get(who);
    if (attempt?.wasSent) repeatable.add(attempt.head.message.id);
    underWay.delete(who);
  };

  /** No exchange outlasts a lease, because each begins only when enough of it is left. */
  const expire = async (): Promise<void> => {
    for (const [who, attempt] of underWay) if (attempt.wasSent && who !== 'workflow') return;
    for (const [who, attempt] of underWay) if (who !== 'workflow') attempt.mayBegin = false;
    await makeSendingOverdue(world.db, talk);
  };

  const queue = async ({ count, ofFlow }: { count: number; ofFlow: boolean }): Promise<void> => {
    const runId = ofFlow ? { runId: newUuid() } : {};
    const messages = Array.from({ length: count }, (_, position) => ({ text: 'x', step: 1, position }));
    const told = await world.transact((tx) =>
      queueMessages(tx, { accountId: world.accountId, ...talk, ...runId, messages }),
    );
    note(told);
  };

  const note = (told: readonly QueuedMessage[]): void => {
    places.push(...told);
    const ordered = places.toSorted((a, b) => a.seq - b.seq);
    queued.splice(0, queued.length, ...ordered.map(({ messageId }) => messageId));
  };

  /** An agent answers: what flows have queued is withdrawn, and an outbox may take the lane at once if that was first. */
  const answer = async (): Promise<void> => {
    const told = await world.transact(async (tx) => {
      const { accountId } = world;
      const [open] = await tx.sql<{ id: string }[]>`
        select id from conversations where contact_id = ${talk.contactId} for no key update`;
      if (open) {
        const statuses = () => tx.sql<{ id: string; status: string; isUnderWay: boolean }[]>`
          select message_id as id, status, attempt_since is not null as is_under_way from outbound_messages
          where conversation_id = ${open.id} order by seq`;
        const waiting = (await statuses()).filter(({ status }) => status === 'queued');
        await withdrawOfFlows(tx, { accountId, conversationId: open.id });
        const after = new Map((await statuses()).map((row) => [row.id, row]));
        const isFirst = after.get(waiting[0]?.id ?? '')?.status === 'withdrawn';
        const [found] = await tx.sql<{ sender: string | null }[]>`
          select sender from sendings where contact_id = ${talk.contactId}`;
        if (isFirst && ![...after.values()].some((row) => row.status === 'queued' && row.isUnderWay))
          expect(found?.sender).not.toBeNull();
      }
      return queueMessages(tx, { accountId, ...talk, userId: newUuid(), messages: [{ text: 'answer' }] });
    });
    note(told);
  };

  const perform = async (action: Action): Promise<void> => {
    switch (action.type) {
      case 'queue':
        return queue(action);
      case 'answer':
        return answer();
      case 'take':
        return take(action.who);
      case 'send':
        return send(action.who);
      case 'giveBack':
        return giveBack(action.who);
      case 'crash':
        return crash(action.who);
      case 'record':
        return record(action.who, action.outcome);
      case 'expire':
        return expire();
      case 'claim':
        return void (await claimOverdue(world.db, [laneWork]));
      case 'atOnce':
        // One transaction of each actor at a time, and sends only alone, because they look at what the others do.
        return void (await Promise.all(
          action.actions
            .filter(({ type }) => type !== 'send')
            .filter((one, index, all) => all.findIndex((other) => actorOf(other) === actorOf(one)) === index)
            .map(perform),
        ));
      default:
        return unreachable(action);
    }
  };

  /** Everybody dies, and one process or the workflow sends what is left. */
  const finish = async (): Promise<void> => {
    for (const who of ['a', 'b', 'workflow'] as const) crash(who);
    for (let row = await lane(); row; row = await lane()) {
      await expire();
      await claimOverdue(world.db, [laneWork]);
      const who = row.sender === null ? 'workflow' : 'a';
      await take(who);
      await send(who);
      await record(who, 'sent');
    }
  };

  return { perform, finish, queued, sent, statusOf };
};

const actorOf = (action: Action): string => ('who' in action ? action.who : action.type);

test('however a lane changes hands, messages go in order, none is lost, and none twice but after a crash', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      const { perform, finish, queued, sent, statusOf } = await aLane();
      for (const action of all) await perform(action);
      await finish();
      const firsts = sent.filter((id, index) => sent.indexOf(id) === index);
      const ends = new Map<string, string | undefined>();
      for (const id of queued) ends.set(id, (await statusOf(id))?.status);
      expect(firsts).toEqual(queued.filter((id) => firsts.includes(id) || ends.get(id) !== 'withdrawn'));
      expect([...ends.values()]).not.toContain('queued');
    }),
    { numRuns, endOnFailure: true },
  );
}, 120_000);
