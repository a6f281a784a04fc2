import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { updateContact } from '../../../../src/shared/contacts/queries.ts';
import { changeFlow } from '../../../../src/shared/flows/manage.ts';
import { readId, showId } from '../../../../src/shared/ids.ts';
import { applyTag } from '../../../../src/shared/tags/apply.ts';
import { routedRun, startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';
import { setContactStatus } from '../../../helpers/states/conversations.ts';

let world: FlowWorld;
let flows: Record<'shirt' | 'menu' | 'fallback', string>;
const question: FlowBlocks = [{ id: 'one', type: 'ask', prompt: 'Which?', expects: 'any', next: { timeout: null } }];
const keyword = (words: readonly string[], more: object = {}) => ({ type: 'keyword', match: 'exact', words, ...more });

beforeAll(async () => {
  world = await startFlowWorld();
  const flow = (trigger: object) => aFlow(world.db, world.accountId, { blocks: question, triggers: [trigger] });
  flows = {
    shirt: await flow(keyword(['shirt', 'start', 'stop'])),
    menu: await flow(keyword(['menu'], { interrupt: true })),
    fallback: await flow({ type: 'default_reply' }),
  };
});
afterAll(() => world.stop());

let senders = 0;
/** A contact by what it says; its first message goes to the default reply, whose run has ended since. */
const aContact = async () => {
  senders += 1;
  const sender = `sender-${senders}`;
  const says = (text: string) => world.says(sender, text);
  const { contactId, routedTo } = await says('hello');
  const first = routedRun(routedTo);
  return { contactId, first, says };
};

/** The contact after the first run has asked and got its answer. */
const aFreeContact = async () => {
  const contact = await aContact();
  await world.advance(contact.first);
  await contact.says('that one');
  expect(await world.advance(contact.first)).toMatchObject({ type: 'over' });
  return contact;
};

const toFlow = (name: keyof typeof flows, by: 'keyword' | 'default_reply') => ({
  to: 'flow',
  by,
  flow_id: showId('flow', flows[name]),
  run_id: expect.stringMatching(/^run_/),
});

describe('a message says who got it, or why nobody did', () => {
  test('a keyword starts its flow, and the answer goes to the run that asks', async () => {
    const { contactId, says } = await aFreeContact();
    const { routedTo } = await says(' Shirt ');
    expect(routedTo).toEqual(toFlow('shirt', 'keyword'));
    await world.advance(routedRun(routedTo));
    // Other words of the flow are answers now, as the default reply is out of reach.
    for (const text of ['shirt', 'anything']) {
      const answer = await says(text);
      expect(answer.routedTo).toEqual({ to: 'run', run_id: showId('run', routedRun(routedTo)) });
    }
    const runs = await world.db`select from runs where contact_id = ${contactId} and flow_id = ${flows.shirt}`;
    expect(runs).toHaveLength(1);
  });

  const toRun = (runId: string, more: object = {}) => ({ to: 'run', run_id: showId('run', runId), ...more });
  const passedOver = (runId: string) => ({ to: 'nobody', because: 'passed_over', run_id: showId('run', runId) });
  const routedNow = async (messageId: string) => {
    const [row] = await world.db`select routed_to from messages where id = ${messageId}`;
    return row?.['routedTo'];
  };
  const twoQuestions = (early: 'ignore' | 'take'): FlowBlocks => [
    { id: 'one', type: 'ask', prompt: 'One?', expects: 'any', next: { timeout: null } },
    { id: 'two', type: 'ask', prompt: 'Two?', expects: 'any', early, next: { timeout: null } },
  ];

  test('a run that does not ask yet keeps a message, and takes or passes it over when it asks', async () => {
    const { sender, runId } = await world.enrolled(twoQuestions('ignore'));
    await world.advance(runId);
    const answer = await world.says(sender, 'for one');
    const second = await world.says(sender, 'too early for two');
    expect([answer.routedTo, second.routedTo]).toEqual([toRun(runId), toRun(runId)]);
    await world.advance(runId);
    expect(await routedNow(answer.messageId)).toEqual(toRun(runId));
    expect(await routedNow(second.messageId)).toEqual(passedOver(runId));
    await world.says(sender, 'for two');
    expect(await world.advance(runId)).toMatchObject({ type: 'over' });
  });

  test('a message that a later question takes is no longer passed over', async () => {
    const { sender, runId } = await world.enrolled(twoQuestions('take'));
    await world.advance(runId);
    await world.says(sender, 'for one');
    const second = await world.says(sender, 'for two');
    expect(await world.advance(runId)).toMatchObject({ type: 'over' });
    expect(await routedNow(second.messageId)).toEqual(toRun(runId));
  });

  test('a message during a request is kept, and passed over by the question behind it', async () => {
    const { sender, runId } = await world.enrolled([
      ...twoQuestions('ignore').slice(0, 1),
      {
        id: 'call',
        type: 'external_request',
        method: 'GET',
        url: 'https://127.0.0.1:9/',
        attempts: 1,
        next: { error: 'again', timeout: 'again' },
      },
      { id: 'again', type: 'ask', prompt: 'Again?', expects: 'any', next: { timeout: null } },
    ]);
    await world.advance(runId);
    await world.says(sender, 'for one');
    expect(await world.advance(runId)).toMatchObject({ type: 'call' });
    const during = await world.says(sender, 'hello?');
    expect(during.routedTo).toEqual(toRun(runId, { kept: true }));
    await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 2);
    await world.advance(runId);
    expect(await routedNow(during.messageId)).toEqual(passedOver(runId));
  });

  test('messages that a run has left when it ends or is cancelled are passed over', async () => {
    const ended = await world.enrolled(twoQuestions('ignore').slice(0, 1));
    await world.advance(ended.runId);
    await world.says(ended.sender, 'for one');
    const late = await world.says(ended.sender, 'and another');
    expect(await world.advance(ended.runId)).toMatchObject({ type: 'over' });
    const cancelled = await world.enrolled(twoQuestions('ignore'));
    await world.advance(cancelled.runId);
    const unheard = await world.says(cancelled.sender, 'for one');
    await world.says(cancelled.sender, 'stop');
    expect(await routedNow(late.messageId)).toEqual(passedOver(ended.runId));
    expect(await routedNow(unheard.messageId)).toEqual(passedOver(cancelled.runId));
  });

  test('an interrupting keyword starts its flow while another one asks', async () => {
    const { first, says } = await aContact();
    await world.advance(first);
    expect((await says('menu')).routedTo).toEqual(toFlow('menu', 'keyword'));
  });

  test('a message that nothing else takes goes to the default reply', async () => {
    const { says } = await aFreeContact();
    expect((await says('anything')).routedTo).toEqual(toFlow('fallback', 'default_reply'));
  });

  test('the first message of a new contact goes to the flow that new_contact has started', async () => {
    const { db, accountId } = world;
    const triggers = [{ type: 'new_contact' }, keyword(['welcome'])];
    const flowId = await aFlow(db, accountId, { blocks: question, triggers });
    onTestFinished(() =>
      world.transact((tx) => changeFlow(tx, { accountId, id: flowId }, 'archive')).then(() => undefined),
    );
    for (const text of ['welcome', 'hello']) {
      const { contactId, routedTo } = await world.says(`newcomer, ${text}`, text);
      const runs = await db<{ id: string }[]>`select id from runs where contact_id = ${contactId}`;
      const [run] = runs.map(({ id }) => showId('run', id));
      // The default reply is for what nothing else took.
      expect(runs).toHaveLength(1);
      expect(routedTo).toEqual({ to: 'flow', by: 'new_contact', flow_id: showId('flow', flowId), run_id: run });
      const { routedTo: next } = await world.says(`newcomer, ${text}`, text);
      expect(next).toEqual(toFlow('fallback', 'default_reply'));
    }
    const { contactId, routedTo } = await world.says('newcomer, shirt', 'shirt');
    expect(routedTo).toEqual(toFlow('shirt', 'keyword'));
    expect(await db`select from runs where contact_id = ${contactId}`).toHaveLength(2);
    // A later flow of the same word does not start beside the one that has the message.
    const later = await aFlow(db, accountId, { blocks: question, triggers: [keyword(['welcome'])] });
    onTestFinished(() =>
      world.transact((tx) => changeFlow(tx, { accountId, id: later }, 'archive')).then(() => undefined),
    );
    const again = await world.says('newcomer, again', 'welcome');
    expect(again.routedTo).toMatchObject({ by: 'new_contact', flow_id: showId('flow', flowId) });
    expect(await db`select from runs where contact_id = ${again.contactId}`).toHaveLength(1);
  });

  test('a message goes to nobody when the contact is in all flows that it could start', async () => {
    const { says } = await aContact();
    expect((await says('anything')).routedTo).toEqual({ to: 'nobody', because: 'in_flow_already' });
  });

  test('a message goes to nobody while automation is paused', async () => {
    const { contactId: id, says } = await aFreeContact();
    const { accountId } = world;
    const pause = (until: Date | null) =>
      world.transact((tx) =>
        updateContact(tx, { accountId, id, changes: { automation_paused_until: until?.toISOString() ?? null } }),
      );
    await pause(new Date(Date.now() + 3_600_000));
    for (const text of ['shirt', 'menu', 'anything']) {
      expect((await says(text)).routedTo).toEqual({ to: 'nobody', because: 'silence' });
    }
    await pause(null);
    expect((await says('shirt')).routedTo).toEqual(toFlow('shirt', 'keyword'));
  });

  test('a message of a blocked contact goes to nobody, also START', async () => {
    const { contactId, says } = await aFreeContact();
    await setContactStatus(world.db, contactId, 'blocked');
    for (const text of ['shirt', 'menu', 'START']) {
      expect((await says(text)).routedTo).toEqual({ to: 'nobody', because: 'blocked' });
    }
    const [contact] = await world.db`select status from contacts where id = ${contactId}`;
    expect(contact).toEqual({ status: 'blocked' });
  });

  test('STOP, and START of who has stopped, change the subscription before any flow', async () => {
    const { says } = await aFreeContact();
    for (const text of ['stop', 'STOPALL', ' Unsubscribe\n', 'StOp']) {
      expect((await says(text)).routedTo).toEqual({ to: 'consent', word: 'stop' });
      expect((await says('shirt')).routedTo).toEqual({ to: 'nobody', because: 'unsubscribed' });
    }
    for (const text of ['start', 'UNSTOP', 'Subscribe']) {
      await says('stop');
      expect((await says(text)).routedTo).toEqual({ to: 'consent', word: 'start' });
    }
  });

  test('START of who has not stopped is a message like any other', async () => {
    const { first, says } = await aContact();
    await world.advance(first);
    expect((await says('subscribe')).routedTo).toEqual({ to: 'run', run_id: showId('run', first) });
    await world.advance(first);
    expect((await says('Start')).routedTo).toEqual(toFlow('shirt', 'keyword'));
    const other = await aFreeContact();
    expect((await other.says('please stop')).routedTo).toEqual(toFlow('fallback', 'default_reply'));
  });
});

test('of flows with one keyword the highest priority wins, then the oldest the contact is not in', async () => {
  const flow = (priority: number) =>
    aFlow(world.db, world.accountId, { blocks: question, triggers: [keyword(['tie'], { priority })] });
  const [low, first, second] = [await flow(1), await flow(7), await flow(7)];
  // Its first run has not asked yet, so that the word goes to flows.
  const { says } = await aContact();
  const won = [];
  for (let count = 0; count < 3; count += 1) won.push((await says('tie')).routedTo);
  expect(won.map((routed) => routed && 'flow_id' in routed && routed.flow_id)).toEqual(
    [first, second, low].map((id) => showId('flow', id)),
  );
});

test('a start link interrupts the run that asks, and its payload is a parameter of the run', async () => {
  const { db, accountId } = world;
  const link = (more: object) =>
    aFlow(db, accountId, { blocks: question, triggers: [{ type: 'start_link', ...more }] });
  const command = {
    blocks: question,
    triggers: [keyword(['/start'], { match: 'prefix', interrupt: true, priority: 9 })],
  };
  const [summer, refs, any, word] = [
    await link({ payload: 'summer', priority: 2 }),
    await link({ payload: 'ref_', match: 'prefix', priority: 1 }),
    await link({}),
    await aFlow(db, accountId, command),
  ];
  onTestFinished(async () => {
    for (const id of [summer, refs, any, word]) {
      await world.transact((tx) => changeFlow(tx, { accountId, id }, 'archive').then(() => undefined));
    }
  });
  for (const [payload, flowId] of [
    ['summer', summer],
    ['ref_7', refs],
    ['Summer', any],
  ] as const) {
    const { first, says } = await aContact();
    await world.advance(first);
    const { routedTo } = await says(`/start ${payload}`);
    const runId = routedRun(routedTo);
    const [run] = await db`select params from runs where id = ${runId}`;
    expect(routedTo).toMatchObject({ to: 'flow', by: 'start_link', flow_id: showId('flow', flowId) });
    expect(run).toEqual({ params: { payload } });
  }
  const { says } = await aFreeContact();
  expect((await says('/start not a payload')).routedTo).toMatchObject({ by: 'keyword', flow_id: showId('flow', word) });
});

test('the payload of a start link is also a parameter of the run that its new contact has begun', async () => {
  const { db, accountId } = world;
  const id = await aFlow(db, accountId, {
    blocks: question,
    triggers: [{ type: 'new_contact' }, { type: 'start_link' }],
  });
  onTestFinished(() => world.transact((tx) => changeFlow(tx, { accountId, id }, 'archive')).then(() => undefined));
  const { contactId, routedTo } = await world.says('newcomer by link', '/start summer');
  expect(routedTo).toMatchObject({ to: 'flow', by: 'new_contact', flow_id: showId('flow', id) });
  const runs = await db`select params from runs where contact_id = ${contactId}`;
  expect([...runs]).toEqual([{ params: { payload: 'summer' } }]);
});

test('a tag starts the oldest of the flows that it triggers', async () => {
  const { db, accountId } = world;
  const flow = () => aFlow(db, accountId, { blocks: question, triggers: [{ type: 'tag_applied', tag: 'vip' }] });
  const [oldest] = [await flow(), await flow()];
  const { contactId } = await aContact();
  await world.transact((tx) => applyTag(tx, { accountId, contactId, name: 'vip' }));
  const runs = await db`
    select flow_id from runs where contact_id = ${contactId} and event ->> 'name' = 'tag_applied'`;
  expect(runs.map((run) => run['flowId'])).toEqual([oldest]);
});

test('every new message is one event, whoever got it', async () => {
  const { contactId, first, says } = await aContact();
  await world.advance(first);
  const said = [await says('an answer'), await says('menu'), await says('stop'), await says('shirt')];
  await setContactStatus(world.db, contactId, 'blocked');
  said.push(await says('anybody?'));
  const told = await world.db<{ id: string }[]>`
    select data -> 'message' ->> 'id' as id from events
    where contact_id = ${contactId} and name = 'new_message' order by id`;
  expect(told.map(({ id }) => readId('message', id)).slice(1)).toEqual(said.map(({ messageId }) => messageId));
  expect(told).toHaveLength(6);
});
