import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateContact } from '../../../../src/shared/contacts/queries.ts';
import { writeFields } from '../../../../src/shared/contacts/write-fields.ts';
import { createField } from '../../../../src/shared/custom-fields/manage.ts';
import { saveDraft } from '../../../../src/shared/flows/drafts.ts';
import { changeFlow, type FlowAction } from '../../../../src/shared/flows/manage.ts';
import { publishFlow } from '../../../../src/shared/flows/publish.ts';
import { showId } from '../../../../src/shared/ids.ts';
import { applyRetention } from '../../../../src/shared/retention/apply.ts';
import { cancelRun } from '../../../../src/shared/runs/life/cancel.ts';
import { insertRun } from '../../../../src/shared/runs/life/insert-run.ts';
import { retryRun } from '../../../../src/shared/runs/life/retry.ts';
import { readStats } from '../../../../src/shared/runs/stats.ts';
import { wakePausedRuns } from '../../../../src/shared/runs/life/wake-runs.ts';
import { applyTag } from '../../../../src/shared/tags/apply.ts';
import { untilSomebodyWaits } from '../../../helpers/database.ts';
import { aDefinition } from '../../../helpers/definitions.ts';
import { routedRun, startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';
import { anOldRun } from '../../../helpers/states/old-log.ts';
import { loseWorkflow } from '../../../helpers/states/runs.ts';
import { untold } from '../../../helpers/untold.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

let senders = 0;
/** A contact that nobody has heard of yet, and its name on the channel. */
const aContact = async () => {
  senders += 1;
  const sender = `sender-${senders}`;
  const { contactId } = await world.says(sender, 'hello');
  return { sender, contactId };
};

const flow = (blocks: FlowBlocks, rest: { triggers?: readonly object[]; reentry?: string } = {}) =>
  aFlow(world.db, world.accountId, { blocks, ...rest });

const change = (id: string, action: FlowAction) =>
  world.transact((tx) => changeFlow(tx, { accountId: world.accountId, id }, action));

const pauseAutomation = (id: string, until: Date | null) =>
  world.transact((tx) =>
    updateContact(tx, {
      accountId: world.accountId,
      id,
      changes: { automation_paused_until: until?.toISOString() ?? null },
    }),
  );

const retry = (runId: string) => world.transact((tx) => retryRun(tx, { accountId: world.accountId, runId }));

const ask = (id: string, more: object = {}) => ({ id, type: 'ask', prompt: `${id}?`, expects: 'any', ...more });
const say = (id: string, text = id) => ({ id, type: 'send', messages: [{ text }] });

describe('the foreground', () => {
  test('one run has the foreground: the second asks when the first has ended', async () => {
    const { sender, contactId } = await aContact();
    const first = await world.enrol(contactId, await flow([ask('one')]));
    const second = await world.enrol(contactId, await flow([ask('two')]));
    expect(await world.advance(first)).toMatchObject({ waiting: 'reply' });
    expect(await world.advance(second)).toMatchObject({ waiting: 'foreground' });
    expect(await world.sentTo(contactId)).toEqual(['one?']);
    expect((await world.says(sender, 'yes')).routedTo).toEqual({ to: 'run', run_id: showId('run', first) });
    expect(await world.advance(first)).toEqual({ type: 'over', status: 'completed' });
    expect(await world.advance(second)).toMatchObject({ waiting: 'reply' });
    expect(await world.sentTo(contactId)).toEqual(['one?', 'two?']);
  });

  test('one of two runs that pass at the same moment takes the foreground', async () => {
    const flows = [await flow([ask('one')]), await flow([ask('two')])];
    for (let round = 0; round < 10; round += 1) {
      const { contactId } = await aContact();
      const runs = await Promise.all(flows.map((flowId) => world.enrol(contactId, flowId)));
      await Promise.all(runs.map((run) => world.advance(run)));
      const waiting = await Promise.all(runs.map(async (run) => (await world.run(run)).waiting));
      expect(waiting.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['foreground', 'reply']);
    }
  });

  test('an interrupting keyword takes the foreground, and the interrupted run gets it back', async () => {
    const { sender, contactId } = await aContact();
    const first = await world.enrol(contactId, await flow([ask('size'), say('thanks')]));
    await flow([ask('help')], { triggers: [{ type: 'keyword', match: 'exact', words: ['help'], interrupt: true }] });
    await world.advance(first);
    const second = routedRun((await world.says(sender, 'Help')).routedTo);
    expect(await world.advance(first)).toMatchObject({ waiting: 'foreground' });
    await world.advance(second);
    expect(await world.sentTo(contactId)).toEqual(['size?', 'help?']);
    await world.says(sender, 'I am fine');
    await world.advance(second);
    expect(await world.advance(first)).toMatchObject({ waiting: 'reply' });
    await world.says(sender, 'M');
    await world.advance(first);
    expect(await world.sentTo(contactId)).toEqual(['size?', 'help?', 'thanks']);
  });

  test('an interrupted run gets the foreground back before its next pass, and no third one does', async () => {
    const { sender, contactId } = await aContact();
    const first = await world.enrol(contactId, await flow([ask('size')]));
    const third = await world.enrol(contactId, await flow([ask('third')]));
    await flow([say('helped')], { triggers: [{ type: 'keyword', match: 'exact', words: ['sos'], interrupt: true }] });
    await world.advance(first);
    await world.advance(third);
    const second = routedRun((await world.says(sender, 'SOS')).routedTo);
    await world.advance(second);
    expect(await world.advance(third)).toMatchObject({ waiting: 'foreground' });
    expect(await world.advance(first)).toMatchObject({ waiting: 'reply' });
    expect((await world.says(sender, 'M')).routedTo).toEqual({ to: 'run', run_id: showId('run', first) });
  });

  test('a run shares the foreground with the flow that it starts', async () => {
    const { sender, contactId } = await aContact();
    const child = await flow([ask('inner')]);
    const start = { id: 'start', type: 'start_flow', flow_id: showId('flow', child), mode: 'child' };
    const parent = await world.enrol(contactId, await flow([ask('outer'), start, say('after')]));
    await world.advance(parent);
    await world.says(sender, 'a');
    expect(await world.advance(parent)).toMatchObject({ waiting: 'child' });
    const childRun = await world.childOf(parent);
    expect(await world.advance(childRun)).toMatchObject({ waiting: 'reply' });
    expect((await world.says(sender, 'b')).routedTo).toMatchObject({ run_id: showId('run', childRun) });
    expect(await world.advance(childRun)).toEqual({ type: 'over', status: 'completed' });
    expect(await world.advance(parent)).toEqual({ type: 'over', status: 'completed' });
    expect(await world.sentTo(contactId)).toEqual(['outer?', 'inner?', 'after']);
  });

  test('the foreground goes to the flow that is switched to', async () => {
    const { sender, contactId } = await aContact();
    const next = await flow([ask('next')]);
    const change = { id: 'change', type: 'start_flow', flow_id: showId('flow', next), mode: 'switch' };
    const run = await world.enrol(contactId, await flow([ask('first'), change, say('never')]));
    const other = await world.enrol(contactId, await flow([ask('other')]));
    await world.advance(run);
    await world.advance(other);
    await world.says(sender, 'a');
    expect(await world.advance(run)).toEqual({ type: 'over', status: 'completed', reason: 'switched' });
    const [switched] = await world.db<
      { id: string }[]
    >`select id from runs where flow_id = ${next} and contact_id = ${contactId}`;
    expect(await world.advance(switched?.id ?? '')).toMatchObject({ waiting: 'reply' });
    expect(await world.advance(other)).toMatchObject({ waiting: 'foreground' });
  });
});

describe('a cancelled run', () => {
  test('a cancelled run is over at once, its child too, and the conversation is free', async () => {
    const { sender, contactId } = await aContact();
    const child = await flow([ask('inner')]);
    const start = { id: 'start', type: 'start_flow', flow_id: showId('flow', child), mode: 'child' };
    const parent = await world.enrol(contactId, await flow([start]));
    await world.advance(parent);
    const childRun = await world.childOf(parent);
    await world.advance(childRun);
    await world.transact((tx) => cancelRun(tx, { runId: parent, reason: 'cancelled' }));
    expect(await world.run(parent)).toMatchObject({ status: 'cancelled', reason: 'cancelled', waiting: null });
    expect(await world.run(childRun)).toMatchObject({ status: 'cancelled' });
    expect((await world.says(sender, 'late')).routedTo).toEqual({ to: 'nobody', because: 'no_trigger' });
    expect(await world.advance(childRun)).toEqual({ type: 'over', status: 'cancelled', reason: 'cancelled' });
  });

  test('the sweep looks after a cancelled run until its workflow has acknowledged it', async () => {
    const { contactId } = await aContact();
    const run = await world.enrol(contactId, await flow([ask('one')]));
    await world.advance(run);
    await world.transact((tx) => cancelRun(tx, { runId: run, reason: 'cancelled' }));
    const sweepAt = async () => (await world.db`select sweep_at from runs where id = ${run}`)[0]?.['sweepAt'];
    expect(await sweepAt()).not.toBeNull();
    await world.advance(run);
    expect(await sweepAt()).toBeNull();
  });

  test('a cancelled run hands the conversation on to the run that waits for it', async () => {
    const { sender, contactId } = await aContact();
    const first = await world.enrol(contactId, await flow([ask('one')]));
    const second = await world.enrol(contactId, await flow([ask('two')]));
    await world.advance(first);
    expect(await world.advance(second)).toMatchObject({ waiting: 'foreground' });
    await world.transact((tx) => cancelRun(tx, { runId: first, reason: 'cancelled' }));
    expect(await world.advance(second)).toMatchObject({ waiting: 'reply' });
    expect((await world.says(sender, 'M')).routedTo).toEqual({ to: 'run', run_id: showId('run', second) });
  });

  test('a contact may begin a flow anew when its run was cancelled', async () => {
    const { contactId } = await aContact();
    const flowId = await flow([ask('one')]);
    const run = await world.enrol(contactId, flowId);
    await expect(world.enrol(contactId, flowId)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(showId('run', run)),
    });
    await world.transact((tx) => cancelRun(tx, { runId: run, reason: 'cancelled' }));
    await world.enrol(contactId, flowId);
  });
});

test('STOP ends the runs of a contact and its subscription, START brings that back', async () => {
  const { sender, contactId } = await aContact();
  const run = await world.enrol(contactId, await flow([ask('one')]));
  await world.advance(run);
  expect((await world.says(sender, ' Stop ')).routedTo).toEqual({ to: 'consent', word: 'stop' });
  expect(await world.run(run)).toMatchObject({ status: 'cancelled', reason: 'unsubscribed' });
  expect((await world.says(sender, 'hello?')).routedTo).toEqual({ to: 'nobody', because: 'unsubscribed' });
  const later = await world.enrol(contactId, await flow([{ ...say('news'), next: { failed: null } }]));
  expect(await world.advance(later)).toEqual({ type: 'over', status: 'completed' });
  expect(await world.sentTo(contactId)).toEqual(['one?']);
  expect((await world.says(sender, 'START')).routedTo).toEqual({ to: 'consent', word: 'start' });
  expect((await world.says(sender, 'hello!')).routedTo).toEqual({ to: 'nobody', because: 'no_trigger' });
});

describe('a tag', () => {
  const tag = (contactId: string, name: string) =>
    world.transact((tx) => applyTag(tx, { accountId: world.accountId, contactId, name }));

  test('a tag starts the flow that it triggers, and wakes the runs that wait for it', async () => {
    const { contactId } = await aContact();
    const wait = {
      id: 'wait',
      type: 'wait_event',
      event: 'tag_applied',
      rules: [{ field: 'event.tag.name', op: 'is', value: 'vip' }],
    };
    const waiting = await world.enrol(contactId, await flow([wait, say('welcome')]));
    expect(await world.advance(waiting)).toMatchObject({ waiting: 'event' });
    await tag(contactId, 'other');
    expect(await world.advance(waiting)).toMatchObject({ waiting: 'event' });
    await tag(contactId, 'VIP');
    await tag(contactId, 'vip');
    expect(await world.advance(waiting)).toEqual({ type: 'over', status: 'completed' });
    const tagged = say('tagged', '{{event.name}}: {{event.tag.name}}');
    const triggered = await flow([tagged], { triggers: [{ type: 'tag_applied', tag: 'Gold' }] });
    await tag(contactId, 'gold');
    const runs = await world.db<{ id: string }[]>`
      select id from runs where flow_id = ${triggered} and contact_id = ${contactId}`;
    expect(runs).toHaveLength(1);
    await world.advance(runs[0]?.id ?? '');
    expect((await world.sentTo(contactId)).at(-1)).toBe('tag_applied: gold');
  });

  test('a tag is no input of a run whose flow waits for none', async () => {
    const { contactId } = await aContact();
    const run = await world.enrol(contactId, await flow([ask('one')]));
    await tag(contactId, 'unheard');
    expect(await world.db`select from run_inputs where run_id = ${run}`).toEqual([]);
  });

  test('a later block does not take a tag from before the last one that was taken', async () => {
    const { contactId } = await aContact();
    const wait = (id: string, more: object) => ({ id, type: 'wait_event', event: 'tag_applied', ...more });
    const isLast = [{ field: 'event.tag.name', op: 'is', value: 'last' }];
    const run = await world.enrol(contactId, await flow([wait('one', { rules: isLast }), wait('two', {})]));
    await tag(contactId, 'first');
    await tag(contactId, 'last');
    expect(await world.advance(run)).toMatchObject({ waiting: 'event', blockId: 'two' });
    expect(await world.advance(run)).toMatchObject({ waiting: 'event', blockId: 'two' });
    await tag(contactId, 'later');
    expect(await world.advance(run)).toEqual({ type: 'over', status: 'completed' });
  });

  test('a tag that a flow applies is no input of that flow itself', async () => {
    const { contactId } = await aContact();
    const wait = { id: 'wait', type: 'wait_event', event: 'tag_applied', next: { timeout: null } };
    const run = await world.enrol(contactId, await flow([{ id: 'tag', type: 'add_tag', tag: 'own' }, wait]));
    expect(await world.advance(run)).toMatchObject({ waiting: 'event' });
    const inputs = await world.db`select 1 from run_inputs where run_id = ${run}`;
    expect(inputs).toHaveLength(0);
  });

  test('flows that start one another by tags go no deeper than ten', async () => {
    const { contactId } = await aContact();
    const names = Array.from({ length: 13 }, (_, index) => `chain-${index}`);
    for (const [index, name] of names.entries()) {
      await flow([{ id: 'tag', type: 'add_tag', tag: `chain-${index + 1}` }], {
        triggers: [{ type: 'tag_applied', tag: name }],
      });
    }
    await tag(contactId, 'chain-0');
    for (let round = 0; round < 15; round += 1) {
      const open = await world.db<
        { id: string }[]
      >`select id from runs where contact_id = ${contactId} and ended_at is null`;
      for (const { id } of open) await world.advance(id);
    }
    const runs = await world.db<{ status: string; reason: string | null; depth: number }[]>`
      select status, reason, depth from runs where contact_id = ${contactId} order by depth`;
    expect(runs.at(-1)).toEqual({ status: 'failed', reason: 'loop_guard', depth: 11 });
    expect(runs).toHaveLength(12);
    const [deepest] = await world.db<{ id: string }[]>`
      select id from runs where contact_id = ${contactId} order by depth desc limit 1`;
    await expect(retry(deepest?.id ?? '')).rejects.toMatchObject({ message: expect.stringContaining('never begun') });
  });
});

describe('a failed run', () => {
  test('a failed run tells the owners once an hour, and can be retried where it failed', async () => {
    const { contactId } = await aContact();
    const other = await flow([say('x')]);
    const start = { id: 'never', type: 'start_flow', flow_id: showId('flow', other), mode: 'child' };
    const flowId = await flow([say('before'), start]);
    await change(other, 'pause');
    const run = await world.enrol(contactId, flowId);
    expect(await world.advance(run)).toMatchObject({ type: 'over', status: 'failed', reason: 'flow_paused' });
    const again = await world.enrol(contactId, flowId);
    await world.advance(again);
    const mails = await world.db<
      { body: string; recipient: string }[]
    >`select body, recipient from mails where kind = 'flow_failing'`;
    expect(mails).toHaveLength(1);
    expect(mails[0]?.body).toContain(`https://app.parley.example/runs/${showId('run', run)}`);
    await change(other, 'resume');
    await change(flowId, 'pause');
    await expect(retry(run)).rejects.toMatchObject({ code: 'conflict', message: 'The flow is paused.' });
    await change(flowId, 'resume');
    await retry(run);
    expect(await world.advance(run)).toMatchObject({ waiting: 'child' });
    const steps = await world.db`select number, block_id, visit from run_steps where run_id = ${run} order by number`;
    expect(steps).toMatchObject([
      { number: 1, blockId: 'before', visit: 1 },
      { number: 2, blockId: 'never', visit: 1 },
      { number: 3, blockId: 'never', visit: 2 },
    ]);
    expect(await world.sentTo(contactId)).toEqual(['before', 'before']);
  });

  test('a pass that would give its contact too many fields writes and sends nothing', async () => {
    const { db, accountId } = world;
    await createField(untold(db), accountId, { key: 'one_more', name: 'One more', type: 'number' });
    const { contactId } = await aContact();
    const full = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`other_${index}`, index]));
    await writeFields(db, { accountId, contactId, custom: full, profile: {} });
    const set = (field: string, value: unknown) => ({ id: `set_${field}`, type: 'set_field', field, value });
    const run = await world.enrol(contactId, await flow([say('x'), set('first_name', 'Ada'), set('one_more', 1)]));
    expect(await world.advance(run)).toMatchObject({ type: 'over', status: 'failed', reason: 'too_many_fields' });
    const [contact] = await db`select first_name, custom_fields from contacts where id = ${contactId}`;
    expect(contact).toEqual({ firstName: null, customFields: full });
    expect(await world.sentTo(contactId)).toEqual([]);
  });

  test('a run that has not failed is not retried', async () => {
    const { contactId } = await aContact();
    const run = await world.enrol(contactId, await flow([say('x')]));
    await world.advance(run);
    await expect(retry(run)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a failed run is not retried while another run is in the flow, nor when it is archived', async () => {
    const { contactId } = await aContact();
    const flowId = await flow([{ id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' }]);
    const run = await world.enrol(contactId, flowId);
    expect(await world.advance(run)).toMatchObject({ status: 'failed' });
    const other = await world.enrol(contactId, flowId);
    await expect(retry(run)).rejects.toMatchObject({
      message: expect.stringContaining('in another run'),
      conflictWith: { id: showId('run', other), key: null },
    });
    await world.advance(other);
    await change(flowId, 'archive');
    await expect(retry(run)).rejects.toMatchObject({ message: 'The flow is archived.' });
    expect(await world.run(run)).toMatchObject({ status: 'failed', step: 1 });
  });

  test('another workflow carries a retried run, and the one before carries it no more', async () => {
    const { contactId } = await aContact();
    const run = await world.enrol(
      contactId,
      await flow([{ id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' }]),
    );
    await world.advance(run);
    await retry(run);
    await world.activities.advanceRun({ runId: showId('run', run), resumes: 0 });
    expect(await world.run(run)).toMatchObject({ status: 'running', step: 2 });
    await world.activities.advanceRun({ runId: showId('run', run), resumes: 1 });
    expect(await world.run(run)).toMatchObject({ status: 'failed', step: 2 });
  });
});

test('a flow that is one too many in a chain of causes fails the run that waits for it', async () => {
  const { accountId, transact } = world;
  const { contactId } = await aContact();
  const child = { id: 'child', type: 'start_flow', flow_id: showId('flow', await flow([say('x')])), mode: 'child' };
  const flowId = await flow([child]);
  const deep = { accountId, contactId, flowId, params: {}, channelId: null, cause: { depth: 10 } };
  const made = await transact((tx) => insertRun(tx, deep));
  const run = typeof made === 'object' ? made.id : '';
  await world.advance(run);
  expect(await world.advance(run)).toMatchObject({ type: 'over', status: 'failed', reason: 'child_failed' });
  expect(await world.run(await world.childOf(run))).toMatchObject({ status: 'failed', reason: 'loop_guard' });
  expect(await world.sentTo(contactId)).toEqual([]);
});

describe('a pass', () => {
  test('a pass of an earlier workflow changes nothing', async () => {
    const { contactId } = await aContact();
    const run = await world.enrol(contactId, await flow([ask('one')]));
    await loseWorkflow(world.db, run);
    expect(await world.activities.advanceRun({ runId: showId('run', run), resumes: 0 })).toEqual({
      type: 'over',
      status: 'running',
    });
    expect(await world.sentTo(contactId)).toEqual([]);
  });

  test('a repeated pass sends nothing twice', async () => {
    const { contactId } = await aContact();
    const run = await world.enrol(contactId, await flow([say('a'), ask('one')]));
    await Promise.all([world.advance(run), world.advance(run), world.advance(run)]);
    await world.advance(run);
    expect(await world.sentTo(contactId)).toEqual(['a', 'one?']);
  });

  test('flow_completed is emitted at the end of the flow alone', async () => {
    const { contactId } = await aContact();
    const end = await world.enrol(contactId, await flow([say('x')]));
    await world.advance(end);
    const events = await world.db<{ data: unknown }[]>`
      select data from events where name = 'flow_completed' and contact_id = ${contactId}`;
    expect(events).toHaveLength(1);
    expect(events[0]?.data).toMatchObject({ flow: { name: 'Welcome' } });
  });

  test('no flow_completed is emitted for a run that failed, was cancelled or switched flows', async () => {
    const { contactId } = await aContact();
    const next = await flow([ask('next')]);
    const change = { id: 'change', type: 'start_flow', flow_id: showId('flow', next), mode: 'switch' };
    const never = { id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' };
    for (const block of [change, never, ask('one')]) {
      const run = await world.enrol(contactId, await flow([block]));
      await world.advance(run);
      await world.transact((tx) => cancelRun(tx, { runId: run, reason: 'cancelled' }));
      expect((await world.run(run)).endedAt).not.toBeNull();
    }
    expect(await world.db`select from events where name = 'flow_completed' and contact_id = ${contactId}`).toEqual([]);
  });

  test('a pass that ends a run leaves nothing to the sweep', async () => {
    const { contactId } = await aContact();
    const run = await world.enrol(contactId, await flow([say('x')]));
    await world.advance(run);
    expect(await world.db`select from runs where id = ${run} and sweep_at is not null`).toEqual([]);
  });
});

test('silence holds messages back until it is over', async () => {
  const { sender, contactId } = await aContact();
  const run = await world.enrol(contactId, await flow([ask('one')]));
  await world.advance(run);
  await pauseAutomation(contactId, new Date(Date.now() + 3_600_000));
  expect((await world.says(sender, 'answer')).routedTo).toEqual({ to: 'nobody', because: 'silence' });
  expect(await world.advance(run)).toMatchObject({ waiting: 'silence', dueInMs: expect.closeTo(3_600_000, -5) });
  await pauseAutomation(contactId, null);
  expect(await world.advance(run)).toMatchObject({ waiting: 'reply' });
  await world.says(sender, 'answer');
  expect(await world.advance(run)).toEqual({ type: 'over', status: 'completed' });
});

test('the statistics of a flow count who entered its blocks, who is there, and how they left', async () => {
  const contacts = [await aContact(), await aContact()];
  const flowId = await flow([ask('one', { next: { timeout: null } }), say('done')]);
  const runs = await Promise.all(contacts.map(({ contactId }) => world.enrol(contactId, flowId)));
  for (const run of runs) await world.advance(run);
  await world.says(contacts[0]?.sender ?? '', 'yes');
  await world.advance(runs[0] ?? '');
  const since = new Date(Date.now() - 60_000);
  const { runs: counted, statuses, blocks } = await readStats(world.db, { accountId: world.accountId, flowId, since });
  expect(counted).toBe(2);
  expect(statuses).toEqual({ running: 0, waiting: 1, completed: 1, failed: 0, cancelled: 0 });
  expect(blocks).toEqual([
    { blockId: 'one', entered: 2, here: 1, passed: { answered: 1 }, failed: 0, medianMs: expect.any(Number) },
    { blockId: 'done', entered: 1, here: 0, passed: { default: 1 }, failed: 0, medianMs: 0 },
  ]);
});

test('the statistics of a flow say where runs failed, and leave out those that began before', async () => {
  const { db, accountId } = world;
  const flowId = await flow([say('a'), { id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' }]);
  await world.advance(await world.enrol((await aContact()).contactId, flowId));
  const read = (since: Date) => readStats(db, { accountId, flowId, since });
  const { statuses, blocks } = await read(new Date(Date.now() - 60_000));
  expect(blocks.map(({ blockId, failed }) => [blockId, failed])).toEqual([
    ['a', 0],
    ['jump', 1],
  ]);
  const none = { running: 0, waiting: 0, completed: 0, failed: 0, cancelled: 0 };
  expect(statuses).toEqual({ ...none, failed: 1 });
  expect(await read(new Date(Date.now() + 3_600_000))).toEqual({ runs: 0, statuses: none, blocks: [] });
});

test('the statistics of a flow list blocks as the live version does, then removed ones', async () => {
  const { contactId } = await aContact();
  const { db, accountId } = world;
  const flowId = await flow([say('gone'), say('z'), say('a')]);
  await world.advance(await world.enrol(contactId, flowId));
  const since = new Date(Date.now() - 60_000);
  const order = async () => (await readStats(db, { accountId, flowId, since })).blocks.map(({ blockId }) => blockId);
  expect(await order()).toEqual(['gone', 'z', 'a']);
  const key = { accountId, id: flowId };
  await saveDraft(untold(db), key, { definition: aDefinition([say('m'), say('z'), say('a')]) });
  await db.begin((sql) => publishFlow({ ...untold(sql), refuseUrl: () => undefined }, key).then(() => undefined));
  await world.advance(await world.enrol((await aContact()).contactId, flowId));
  expect(await order()).toEqual(['m', 'z', 'a', 'gone']);
});

test('a resumed flow wakes its oldest runs at once, and the sweep wakes some every second', async () => {
  const flowId = await flow([say('a')]);
  const runs: string[] = [];
  for (let count = 0; count < 3; count += 1) runs.push(await world.enrol((await aContact()).contactId, flowId));
  await change(flowId, 'pause');
  for (const run of runs) expect(await world.advance(run)).toMatchObject({ waiting: 'paused' });
  await world.transact((tx) => wakePausedRuns(tx, flowId, { atOnce: 1 }));
  const rows = await world.db`
    select woken, sweep_at < now() + interval '1 second' as swept from runs where flow_id = ${flowId} order by id`;
  expect(rows).toEqual([
    { woken: true, swept: false },
    { woken: false, swept: true },
    { woken: false, swept: true },
  ]);
  await change(flowId, 'resume');
  for (const run of runs) expect(await world.advance(run)).toEqual({ type: 'over', status: 'completed' });
});

test('a run that stops at the pause of its flow while that is resumed goes on at once', async () => {
  const { contactId } = await aContact();
  const flowId = await flow([say('a')]);
  const run = await world.enrol(contactId, flowId);
  await change(flowId, 'pause');
  const begun = await world.transact(async (tx) => {
    await changeFlow(tx, { accountId: world.accountId, id: flowId }, 'resume');
    const advancing = world.advance(run);
    await Promise.race([advancing, untilSomebodyWaits(world.db)]);
    // In an object, or the transaction would wait for it.
    return { advancing };
  });
  expect(await begun.advancing).toEqual({ type: 'over', status: 'completed' });
});

test('retention deletes old ended runs with their steps, and keeps open ones however old', async () => {
  const { contactId } = await aContact();
  const flowId = await flow([say('x')]);
  const old = await anOldRun(world.db, { contactId, flowId, daysAgo: 100 });
  const open = await anOldRun(world.db, { contactId, flowId, daysAgo: 100, isOpen: true });
  const young = await anOldRun(world.db, { contactId, flowId, daysAgo: 80 });
  await applyRetention(world.db, { retentionDays: 90 });
  const left = await world.db<{ id: string }[]>`select id from runs where contact_id = ${contactId} order by id`;
  expect(left.map(({ id }) => id)).toEqual([open, young]);
  expect(await world.db`select from run_steps where run_id = ${old}`).toHaveLength(0);
});
