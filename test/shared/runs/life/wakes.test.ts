import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockContact } from '../../../../src/shared/contacts/lock-contact.ts';
import { showId } from '../../../../src/shared/ids.ts';
import type { EventTransaction } from '../../../../src/shared/events/emit.ts';
import { cancelRun } from '../../../../src/shared/runs/life/cancel.ts';
import { retryRun } from '../../../../src/shared/runs/life/retry.ts';
import { untilSomebodyWaits } from '../../../helpers/database.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';
import { loseWorkflow } from '../../../helpers/states/runs.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const ask = (id: string) => ({ id, type: 'ask', prompt: `${id}?`, expects: 'any' });
const flow = (blocks: FlowBlocks, triggers: readonly object[] = []) =>
  aFlow(world.db, world.accountId, { blocks, triggers });
const startChild = async () => {
  const inner = await flow([ask('inner')]);
  return { id: 'start', type: 'start_flow', flow_id: showId('flow', inner), mode: 'child' };
};
const fails = { id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' };
const cancel = (runId: string) => (tx: EventTransaction) => cancelRun(tx, { runId, reason: 'cancelled' });

const isWoken = async (id: string) => (await world.db`select woken from runs where id = ${id}`)[0]?.['woken'];

describe('a run is woken, and a look at it begins anew,', () => {
  /** Whether it was woken before something came for it, when it had come, and after a look. */
  const wokenBy = async (id: string, comes: () => Promise<unknown>) => {
    await world.look(id);
    const before = await isWoken(id);
    await comes();
    const then = await isWoken(id);
    await world.look(id);
    return [before, then, await isWoken(id)];
  };
  const once = [false, true, false];

  test('by an answer', async () => {
    const { runId, sender } = await world.enrolled([ask('one')]);
    expect(await wokenBy(runId, () => world.says(sender, 'M'))).toEqual(once);
  });

  test('by the end of the flow that it has started', async () => {
    const { runId, sender } = await world.enrolled([await startChild()]);
    await world.look(runId);
    const child = await world.childOf(runId);
    await world.look(child);
    await world.says(sender, 'M');
    expect(await wokenBy(runId, () => world.look(child))).toEqual(once);
  });

  test('by the cancellation of the flow that it has started', async () => {
    const { runId } = await world.enrolled([await startChild()]);
    expect(await wokenBy(runId, async () => world.transact(cancel(await world.childOf(runId))))).toEqual(once);
    expect(await world.run(runId)).toMatchObject({ status: 'failed', reason: 'child_cancelled' });
  });

  test('by its own cancellation', async () => {
    const { runId } = await world.enrolled([ask('one')]);
    expect(await wokenBy(runId, () => world.transact(cancel(runId)))).toEqual(once);
  });

  test('by the conversation that it waits for', async () => {
    const first = await world.enrolled([ask('one')]);
    await world.look(first.runId);
    const second = await world.enrol(first.contactId, await flow([ask('two')]));
    const comes = async () => {
      await world.says(first.sender, 'M');
      await world.look(first.runId);
    };
    expect(await wokenBy(second, comes)).toEqual(once);
  });

  test('by a keyword that takes the conversation from it', async () => {
    await flow([ask('help')], [{ type: 'keyword', match: 'exact', words: ['help'], interrupt: true }]);
    const { runId, sender } = await world.enrolled([ask('one')]);
    expect(await wokenBy(runId, () => world.says(sender, 'help'))).toEqual(once);
  });
});

describe('the sweep looks at a run', () => {
  /** When the sweep looks, in seconds from now and behind the run's own timer; null when it does not. */
  const sweepOf = async (id: string) => {
    const [row] = await world.db<{ inS: number | null; behindTimerS: number | null }[]>`
      select extract(epoch from sweep_at - clock_timestamp())::float8 as in_s,
        extract(epoch from sweep_at - wake_at)::float8 as behind_timer_s from runs where id = ${id}`;
    return row;
  };
  const swept = async (blocks: FlowBlocks) => {
    const { runId } = await world.enrolled(blocks);
    await world.activities.advanceRun({ runId: showId('run', runId), resumes: 0 });
    return sweepOf(runId);
  };
  const many = Array.from({ length: 25 }, (_, index) => ({ id: `b${index}`, type: 'add_tag', tag: 'seen' }));
  const call = { id: 'call', type: 'external_request', method: 'GET', url: 'https://shop.example/' };

  test('half a minute after its timer', async () => {
    expect(await swept([{ id: 'd', type: 'delay', for: 'P3D' }])).toMatchObject({ behindTimerS: 30 });
  });

  test('within a minute while it goes on, and within five while it is about to call', async () => {
    expect((await swept(many))?.inS).toBeLessThan(60);
    expect((await swept([call]))?.inS).toBeLessThan(300);
  });

  test('never while it waits without a time, however many do', async () => {
    const { runId } = await world.enrolled([await startChild()]);
    await world.look(runId);
    expect((await sweepOf(runId))?.inS).toBe(Infinity);
  });

  test('until the very workflow that carries it has heard of its cancellation', async () => {
    const { runId } = await world.enrolled([ask('one')]);
    await world.look(runId);
    await loseWorkflow(world.db, runId);
    await world.transact(cancel(runId));
    await world.activities.advanceRun({ runId: showId('run', runId), resumes: 0 });
    expect((await sweepOf(runId))?.inS).toBeLessThan(60);
    await world.activities.advanceRun({ runId: showId('run', runId), resumes: 1 });
    expect((await sweepOf(runId))?.inS).toBeNull();
  });
});

describe('who changes a run waits for whoever has the contact,', () => {
  /** Answers the run as it was while another transaction held the contact. */
  const heldUp = async (contactId: string, runId: string, work: (tx: EventTransaction) => Promise<unknown>) => {
    const held = await world.transact(async ({ sql }) => {
      await lockContact(sql, { accountId: world.accountId, contactId });
      const working = world.transact(work);
      await Promise.race([working, untilSomebodyWaits(world.db)]);
      // In an object, or the transaction would wait for it.
      return { working, run: await world.run(runId) };
    });
    await held.working;
    return held.run.status;
  };

  test('to cancel it', async () => {
    const { contactId, runId } = await world.enrolled([ask('one')]);
    expect(await heldUp(contactId, runId, cancel(runId))).toBe('running');
    expect(await world.run(runId)).toMatchObject({ status: 'cancelled' });
  });

  test('to retry it', async () => {
    const { contactId, runId } = await world.enrolled([fails]);
    await world.look(runId);
    const retry = (tx: EventTransaction) => retryRun(tx, { accountId: world.accountId, runId });
    expect(await heldUp(contactId, runId, retry)).toBe('failed');
    expect(await world.run(runId)).toMatchObject({ status: 'running', step: 2 });
  });
});

test('a hundred blocks without a wait are counted from look to look, and anew after a retry', async () => {
  const blocks = Array.from({ length: 101 }, (_, index) => ({ id: `b${index}`, type: 'add_tag', tag: 'seen' }));
  const { runId } = await world.enrolled(blocks);
  expect(await world.look(runId)).toMatchObject({ type: 'over', status: 'failed', reason: 'loop_guard' });
  expect(await world.run(runId)).toMatchObject({ step: 100 });
  await world.transact((tx) => retryRun(tx, { accountId: world.accountId, runId }));
  expect(await world.look(runId)).toMatchObject({ type: 'over', status: 'completed' });
});
