import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { updateContact } from '../../../../src/shared/contacts/queries.ts';
import { receiveInTransaction } from '../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { changeFlow } from '../../../../src/shared/flows/manage.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import type { EventTransaction } from '../../../../src/shared/facts/tell.ts';
import { untilSomebodyWaits } from '../../../helpers/database.ts';
import { dueOf, routedRun, startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';
import { insertReplies } from '../../../helpers/states/runs.ts';

let world: FlowWorld;
let shop: Receiver;
beforeAll(async () => {
  world = await startFlowWorld();
  shop = await startReceiver();
});
afterAll(async () => {
  await shop.close();
  await world.stop();
});

let senders = 0;
/** A contact that enters a flow of these blocks. */
const enrolled = async (blocks: FlowBlocks) => {
  senders += 1;
  const sender = `sender-${senders}`;
  const { contactId } = await world.says(sender, 'hello');
  const flowId = await aFlow(world.db, world.accountId, { blocks });
  const runId = await world.enrol(contactId, flowId);
  const call = (step: number) => world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, step);
  return { runId, flowId, contactId, call, says: (text: string) => world.says(sender, text), sender };
};

const ask = (id: string, more: object = {}) => ({
  id,
  type: 'ask',
  prompt: `${id}?`,
  expects: 'any',
  next: { timeout: null },
  ...more,
});
const say = (text: string) => ({ id: 'say', type: 'send', messages: [{ text }] });
const call = () => ({ id: 'call', type: 'external_request', method: 'GET', url: shop.url('/') });
const answer = '{{reply.text}}';

/** The ports by which a run has left its blocks, in order. */
const portsOf = async (runId: string) => {
  const rows = await world.db<{ port: string | null }[]>`
    select port from run_steps where run_id = ${runId} order by number`;
  return rows.map(({ port }) => port);
};

describe('what a contact writes', () => {
  test.for([
    ['is no answer to the question behind it', 'ignore'],
    ['is an answer to the question behind it that takes early ones', 'take'],
  ] as const)('during a call %s', async ([, early]) => {
    const run = await enrolled([ask('one'), call(), ask('two', { early }), say(answer)]);
    await world.advance(run.runId);
    await run.says('first');
    expect(await world.advance(run.runId)).toMatchObject({ type: 'call', step: 2 });
    shop.respondWith(async () => {
      const { routedTo } = await run.says('meanwhile');
      expect(routedTo).toEqual({ to: 'run', run_id: showId('run', run.runId), kept: true });
      return 200;
    });
    await run.call(2);
    const next = early === 'take' ? { type: 'over' } : { waiting: 'reply', blockId: 'two' };
    expect(await world.advance(run.runId)).toMatchObject(next);
    await run.says('after');
    await world.advance(run.runId);
    expect(await world.sentTo(run.contactId)).toEqual(
      early === 'take' ? ['one?', 'two?', 'meanwhile'] : ['one?', 'two?', 'after'],
    );
  });

  test('a message during a delay goes to nobody, and is no answer afterwards', async () => {
    const run = await enrolled([
      ask('one'),
      { id: 'd', type: 'delay', for: 'PT1H' },
      ask('two', { early: 'take' }),
      say(answer),
    ]);
    await world.advance(run.runId);
    await run.says('first');
    expect(await world.advance(run.runId)).toMatchObject({ waiting: 'delay', step: 2 });
    expect((await run.says('meanwhile')).routedTo).toEqual({ to: 'nobody', because: 'no_trigger' });
    expect(await world.advance(run.runId)).toMatchObject({ waiting: 'delay' });
    expect(await world.advance(run.runId, 2)).toMatchObject({ waiting: 'reply', blockId: 'two' });
    await run.says('after');
    await world.advance(run.runId);
    expect(await world.sentTo(run.contactId)).toEqual(['one?', 'two?', 'after']);
  });

  test('a message from before the question is no answer to it', async () => {
    const run = await enrolled([ask('one'), say(answer)]);
    expect((await run.says('too early')).routedTo).toEqual({ to: 'nobody', because: 'no_trigger' });
    expect(await world.advance(run.runId)).toMatchObject({ waiting: 'reply' });
    await run.says('in time');
    await world.advance(run.runId);
    expect(await world.sentTo(run.contactId)).toEqual(['one?', 'in time']);
  });

  test('a message that the channel hands in twice counts once', async () => {
    const run = await enrolled([ask('one'), ask('two'), say(answer)]);
    await world.advance(run.runId);
    const { accountId, channelId, transact } = world;
    const message = { message_id: newUuid(), sender: { external_id: run.sender }, text: 'twice' };
    const hand = () => transact((tx) => receiveInTransaction(tx, { accountId, channelId, message }));
    const [first, second] = await Promise.all([hand(), hand()]);
    expect(first.messageId).toBe(second.messageId);
    expect(await world.advance(run.runId)).toMatchObject({ waiting: 'reply', blockId: 'two' });
    expect((await hand()).duplicate).toBe(true);
    expect(await world.advance(run.runId)).toMatchObject({ waiting: 'reply', blockId: 'two' });
  });

  test('the same message twice at one moment answers one question, and not the next one', async () => {
    const run = await enrolled([ask('one'), ask('two'), say(answer)]);
    await world.advance(run.runId);
    await Promise.all([run.says('this'), run.says('that')]);
    await Promise.all([world.advance(run.runId), world.advance(run.runId)]);
    expect(await portsOf(run.runId)).toEqual(['answered', null]);
    const taken = await world.db`select from run_inputs where run_id = ${run.runId} and taken_by_step is not null`;
    expect(taken).toHaveLength(1);
    expect(await world.sentTo(run.contactId)).toEqual(['one?', 'two?']);
  });

  test('a message at the moment of the timeout is the answer or comes too late, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const run = await enrolled([
        ask('one', { next: { timeout: 'late' } }),
        say('taken'),
        { ...say('late'), id: 'late' },
      ]);
      await world.advance(run.runId);
      await Promise.all([run.says('now'), world.advance(run.runId, 1)]);
      await world.advance(run.runId);
      const [port] = await portsOf(run.runId);
      const taken = await world.db`select from run_inputs where run_id = ${run.runId} and taken_by_step = 1`;
      expect([port, taken.length]).toEqual(port === 'answered' ? ['answered', 1] : ['timeout', 0]);
      expect(await world.sentTo(run.contactId)).toEqual(
        port === 'answered' ? ['one?', 'taken', 'late'] : ['one?', 'late'],
      );
    }
  });
});

test('a pass by a timer that is repeated after a crash does not end the next wait', async () => {
  const run = await enrolled([ask('one'), say('answered')]);
  const { accountId, db } = world;
  const until = new Date(Date.now() + 500).toISOString();
  await world.transact((tx) =>
    updateContact(tx, { accountId, id: run.contactId, changes: { automation_paused_until: until } }),
  );
  const next = await world.advance(run.runId);
  expect(next).toMatchObject({ waiting: 'silence' });
  const byTimer = () => world.activities.advanceRun({ runId: showId('run', run.runId), resumes: 0 }, dueOf(next));
  await vi.waitUntil(async () => (await db`select where clock_timestamp() > ${until}`).length > 0, { interval: 20 });
  expect(await byTimer()).toMatchObject({ waiting: 'reply' });
  expect(await byTimer()).toMatchObject({ waiting: 'reply' });
  expect(await portsOf(run.runId)).toEqual([null]);
});

test('pausing a flow during a request writes the outcome, and the run goes on when resumed', async () => {
  const run = await enrolled([call(), say('called')]);
  const change = (action: 'pause' | 'resume') =>
    world.transact((tx) => changeFlow(tx, { accountId: world.accountId, id: run.flowId }, action));
  expect(await world.advance(run.runId)).toMatchObject({ type: 'call' });
  const before = shop.requests.length;
  shop.respondWith(async () => {
    await change('pause');
    return 200;
  });
  await run.call(1);
  expect(await portsOf(run.runId)).toEqual(['success']);
  expect(await world.advance(run.runId)).toMatchObject({ waiting: 'paused' });
  await change('resume');
  expect(await world.advance(run.runId)).toEqual({ type: 'over', status: 'completed' });
  expect(shop.requests).toHaveLength(before + 1);
  expect(await world.sentTo(run.contactId)).toEqual(['called']);
});

describe('while an inbound message commits', () => {
  /** A message whose transaction is open; `commit` ends it. */
  const receiving = async (of: FlowWorld, sender: string, text: string) => {
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    onTestFinished(() => released.resolve());
    const { accountId, channelId, transact } = of;
    const message = { message_id: newUuid(), sender: { external_id: sender }, text };
    const received = transact(async (tx: EventTransaction) => {
      const { messageId } = await receiveInTransaction(tx, { accountId, channelId, message });
      written.resolve();
      await released.promise;
      return messageId;
    });
    await Promise.race([written.promise, received]);
    return async () => {
      released.resolve();
      return received;
    };
  };

  test('an enrollment waits for a message that commits, which is no answer in the new run', async () => {
    const run = await enrolled([ask('other')]);
    await world.advance(run.runId);
    const flowId = await aFlow(world.db, world.accountId, { blocks: [ask('one', { early: 'take' })] });
    const commit = await receiving(world, run.sender, 'now');
    const enrolling = world.enrol(run.contactId, flowId);
    await untilSomebodyWaits(world.db);
    await commit();
    const second = await enrolling;
    expect(await world.advance(run.runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await world.advance(second)).toMatchObject({ waiting: 'reply' });
  });

  test("an account's first publish waits for a message that commits; the next one starts the flow", async () => {
    const fresh = await startFlowWorld();
    onTestFinished(() => fresh.stop());
    await fresh.says('ada', 'hello');
    const commit = await receiving(fresh, 'ada', 'go');
    const triggers = [{ type: 'keyword', match: 'exact', words: ['go'] }];
    const publishing = aFlow(fresh.db, fresh.accountId, { blocks: [ask('one')], triggers });
    await untilSomebodyWaits(fresh.db);
    await commit();
    const flowId = await publishing;
    const { routedTo } = await fresh.says('ada', 'go');
    expect(routedTo).toMatchObject({ to: 'flow', flow_id: showId('flow', flowId) });
    expect(await fresh.db`select from runs`).toHaveLength(1);
    expect(await fresh.advance(routedRun(routedTo))).toMatchObject({ waiting: 'reply' });
  });
});

describe('more than a pass reads', () => {
  const many = 210;

  test('many messages do not hide the end of the flow that the run has started', async () => {
    const inner = await aFlow(world.db, world.accountId, { blocks: [ask('inner')] });
    const start = { id: 'start', type: 'start_flow', flow_id: showId('flow', inner), mode: 'child' };
    const run = await enrolled([ask('one'), start]);
    await world.advance(run.runId);
    await run.says('first');
    await world.advance(run.runId);
    const child = await world.childOf(run.runId);
    await world.advance(child);
    await run.says('answer');
    await world.advance(child);
    await insertReplies(world.db, { runId: run.runId, count: many });
    expect(await world.advance(run.runId)).toEqual({ type: 'over', status: 'completed' });
  });

  test('the first of many messages answers a question', async () => {
    const run = await enrolled([ask('one'), say(answer)]);
    await world.advance(run.runId);
    await run.says('the first');
    await insertReplies(world.db, { runId: run.runId, count: many });
    await world.advance(run.runId);
    expect(await world.sentTo(run.contactId)).toEqual(['one?', 'the first']);
  });
});

test.for(['constructor', '__proto__', 'toString'])('a block may be called %s', async (id) => {
  const run = await enrolled([{ ...say('said'), id }]);
  expect(await world.advance(run.runId)).toEqual({ type: 'over', status: 'completed' });
  const steps = await world.db`select block_id, visit, port from run_steps where run_id = ${run.runId}`;
  expect(steps).toMatchObject([{ blockId: id, visit: 1, port: 'default' }]);
});

test('a run fails when the flow that it starts is paused meanwhile, and does not wait for ever', async () => {
  const inner = await aFlow(world.db, world.accountId, { blocks: [ask('inner')] });
  const start = { id: 'start', type: 'start_flow', flow_id: showId('flow', inner), mode: 'child' };
  const run = await enrolled([start]);
  const begun = await world.transact(async (tx) => {
    await changeFlow(tx, { accountId: world.accountId, id: inner }, 'pause');
    const advancing = world.advance(run.runId);
    await Promise.race([advancing, untilSomebodyWaits(world.db)]);
    // In an object, or the transaction would wait for it.
    return { advancing };
  });
  expect(await begun.advancing).toMatchObject({ type: 'over', status: 'failed', reason: 'flow_paused' });
});
