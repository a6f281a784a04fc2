import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createField } from '../../src/shared/custom-fields/manage.ts';
import { changeFlow } from '../../src/shared/flows/manage.ts';
import { showId } from '../../src/shared/ids.ts';
import { createFullDisk } from '../helpers/full-disk.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { routedRun, withFlows } from '../helpers/flow-world.ts';
import { useLiveWorld } from '../helpers/live-world.ts';
import { makeRunOverdue } from '../helpers/states/runs.ts';
import { shownOf } from '../helpers/temporal.ts';
import { untold } from '../helpers/untold.ts';

const live = await useLiveWorld();
const flows = await withFlows(live.world);

const soon = { timeout: 60_000, interval: 20 };
const untilWaiting = (id: string, waiting: string) =>
  vi.waitUntil(async () => (await flows.run(id)).waiting === waiting, soon);
const untilOver = (id: string, status: string) =>
  vi.waitUntil(async () => (await flows.run(id)).status === status, soon);

/** Resolves when the workflow of a run has heard of the passes that others have made. */
const untilHeard = (runId: string) =>
  vi.waitUntil(async () => {
    const [run] = await flows.db<{ isHeard: boolean }[]>`
      select not woken and sweep_at > clock_timestamp() + interval '30 seconds' as is_heard from runs where id = ${runId}`;
    return run?.isHeard;
  }, soon);

const workflowOf = (runId: string, part = '') =>
  live.temporal.client.workflow.getHandle(`run/${showId('run', runId)}${part}`);

const eventsOf = async (runId: string): Promise<number> => (await workflowOf(runId).fetchHistory()).events?.length ?? 0;

const ask = { id: 'size', type: 'ask', prompt: 'Size?', expects: 'any' };

test('a keyword starts a run that asks, asks again, takes the answer and uses it', async () => {
  const { db, accountId } = flows;
  await createField(untold(db), accountId, { key: 'size', name: 'Size', type: 'text', options: null, default: null });
  await aFlow(db, accountId, {
    triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'] }],
    blocks: [
      {
        id: 'size',
        type: 'ask',
        prompt: 'Which size, {{first_name|default:"friend"}}?',
        expects: 'choice',
        choices: ['S', 'M'],
        save_to: 'size',
        retry_text: 'S or M?',
      },
      { id: 'ok', type: 'send', messages: [{ text: 'Noted: {{size}}' }] },
      { id: 'done', type: 'end' },
    ],
  });
  const { routedTo, contactId } = await flows.says('ada', ' Shirt ');
  expect(routedTo).toMatchObject({ to: 'flow', by: 'keyword' });
  const runId = routedRun(routedTo);
  await untilWaiting(runId, 'reply');
  expect((await flows.says('ada', 'XXL')).routedTo).toEqual({ to: 'run', run_id: showId('run', runId) });
  await vi.waitFor(async () => expect(await flows.sentTo(contactId)).toHaveLength(2), soon);
  await flows.says('ada', 'm');
  await untilOver(runId, 'completed');
  expect(await flows.sentTo(contactId)).toEqual(['Which size, friend?', 'S or M?', 'Noted: M']);
  await flows.dispatcher.drain();
  expect(await workflowOf(runId).result()).toEqual({ status: 'completed' });
});

test('a run that its enrollment begins has five events, and seven more for each wait', async () => {
  const { sender, runId } = await flows.enrolled([ask, { id: 'thanks', type: 'send', messages: [{ text: 'Thanks' }] }]);
  await untilHeard(runId);
  await flows.says(sender, 'M');
  await untilOver(runId, 'completed');
  await workflowOf(runId).result();
  expect(await eventsOf(runId)).toBe(5 + 7);
});

test('a run that its message begins and ends has a workflow of five events that shows its end', async () => {
  await aFlow(flows.db, flows.accountId, {
    triggers: [{ type: 'keyword', match: 'exact', words: ['ping'] }],
    blocks: [{ id: 'pong', type: 'send', messages: [{ text: 'pong' }] }],
  });
  const runId = routedRun((await flows.says('bob', 'ping')).routedTo);
  expect(await flows.run(runId)).toMatchObject({ status: 'completed' });
  await flows.drain();
  expect(await workflowOf(runId).result()).toEqual({ status: 'completed' });
  expect(await eventsOf(runId)).toBe(5);
  expect((await shownOf(live.temporal.client, `run/${showId('run', runId)}`)).details).toBe('**completed**.');
});

test("Temporal's UI tells where a run is and until when, in ids and numbers only", async () => {
  const { runId, contactId } = await flows.enrolled([{ ...ask, name: 'Ask Ada' }]);
  await untilWaiting(runId, 'reply');
  const { flowId } = await flows.run(runId);
  await vi.waitFor(async () => {
    const { details, summaries } = await shownOf(live.temporal.client, `run/${showId('run', runId)}`);
    expect(details).toMatch(/^\*\*size: waits for a reply until .* UTC\*\*, since .* UTC\.$/);
    expect(summaries[0]).toBe(`${showId('flow', flowId)}, version 1, for ${showId('contact', contactId)}`);
    expect(summaries.join()).toMatch(/size: waits for a reply until/);
    expect(summaries.join() + details).not.toContain('Size?');
  }, soon);
  const history = JSON.stringify(await workflowOf(runId).fetchHistory(), (_, value) =>
    value?.type === 'Buffer' ? String(Buffer.from(value.data)) : value,
  );
  for (const hidden of ['Ask Ada', 'Size?']) expect(history).not.toContain(hidden);
});

describe('a run whose workflow was', () => {
  test('terminated goes on in another one, where it was', async () => {
    const { sender, contactId, runId } = await flows.enrolled([ask]);
    await untilHeard(runId);
    await workflowOf(runId).terminate();
    await flows.says(sender, 'M');
    await flows.dispatcher.drain();
    await makeRunOverdue(flows.db, runId);
    await flows.sweep();
    expect(await workflowOf(runId, '/resume/1').result()).toEqual({ status: 'completed' });
    expect(await flows.sentTo(contactId)).toEqual(['Size?']);
  });

  test('cancelled in the UI is cancelled in its row, with the flow that it had started', async () => {
    const child = await aFlow(flows.db, flows.accountId, { blocks: [ask] });
    const start = { id: 'start', type: 'start_flow', flow_id: showId('flow', child), mode: 'child' };
    const { runId } = await flows.enrolled([start]);
    await untilHeard(runId);
    const inner = await flows.childOf(runId);
    await workflowOf(runId).cancel();
    await untilOver(runId, 'cancelled');
    expect(await flows.run(runId)).toMatchObject({ reason: 'cancelled_by_operator' });
    expect(await flows.run(inner)).toMatchObject({ status: 'cancelled' });
    expect(await workflowOf(runId).result()).toEqual({ status: 'cancelled', reason: 'cancelled_by_operator' });
    expect(await workflowOf(inner).result()).toEqual({ status: 'cancelled', reason: 'cancelled_by_operator' });
  });

  test('never started is started by the sweep', async () => {
    live.world.useClient(undefined);
    const { runId } = await flows.enrolled([ask]);
    await flows.dispatcher.drain();
    expect(await flows.run(runId)).toMatchObject({ status: 'waiting' });
    live.world.useClient(live.temporal.client);
    await makeRunOverdue(flows.db, runId);
    await flows.sweep();
    expect(await untilHeard(runId)).toBe(true);
    expect((await workflowOf(runId).describe()).status.name).toBe('RUNNING');
  });

  test('not told of an answer is told by the sweep', async () => {
    const { sender, runId } = await flows.enrolled([ask]);
    await untilHeard(runId);
    live.world.useClient(undefined);
    await flows.says(sender, 'M');
    await flows.dispatcher.drain();
    expect(await flows.run(runId)).toMatchObject({ status: 'completed' });
    live.world.useClient(live.temporal.client);
    await makeRunOverdue(flows.db, runId);
    await flows.sweep();
    expect(await workflowOf(runId).result()).toEqual({ status: 'completed' });
  });
});

test('a run that has stopped at a pause of its flow goes on when that is resumed, without the sweep', async () => {
  const { accountId, transact } = flows;
  const { sender, runId } = await flows.enrolled([ask, { id: 'thanks', type: 'send', messages: [{ text: 'Thanks' }] }]);
  await untilHeard(runId);
  const { flowId: id } = await flows.run(runId);
  await transact((tx) => changeFlow(tx, { accountId, id }, 'pause'));
  await flows.says(sender, 'M');
  await untilWaiting(runId, 'paused');
  await transact((tx) => changeFlow(tx, { accountId, id }, 'resume'));
  expect(await untilOver(runId, 'completed')).toBe(true);
});

test('what a contact says in the middle of the start of its run is not lost', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { sender, runId } = await flows.enrolled([ask]);
    await untilWaiting(runId, 'reply');
    await Promise.all([flows.says(sender, 'M'), flows.says(sender, 'L')]);
    expect(await untilOver(runId, 'completed')).toBe(true);
  }
});

test('a look that fails at once is made again as an activity until it succeeds, and a wake that comes meanwhile is not lost', async () => {
  const { db } = flows;
  const disk = await createFullDisk(db, ['run_steps']);
  onTestFinished(disk.remove);
  await disk.refuse('run_steps');
  const { runId } = await flows.enrolled([ask]);
  const workflow = workflowOf(runId);
  const tries = async () => (await workflow.describe()).raw.pendingActivities?.[0]?.attempt ?? 0;
  await expect.poll(tries, soon).toBeGreaterThan(1);
  const ids = async (type: 'signaled' | 'looked' | 'lookedHere' | 'task') =>
    ((await workflow.fetchHistory()).events ?? []).flatMap((event) => {
      const found = {
        signaled: event.workflowExecutionSignaledEventAttributes,
        looked: event.activityTaskCompletedEventAttributes,
        lookedHere: event.markerRecordedEventAttributes,
        task: event.workflowTaskCompletedEventAttributes,
      }[type];
      return found ? [Number(event.eventId)] : [];
    });
  await workflow.signal('wake');
  await vi.waitUntil(
    async () => ((await ids('task')).at(-1) ?? 0) > ((await ids('signaled')).at(-1) ?? Infinity),
    soon,
  );
  await disk.refuse();
  await untilWaiting(runId, 'reply');
  await expect.poll(() => ids('lookedHere'), soon).toHaveLength(2);
  expect(await ids('looked')).toHaveLength(1);
});
