import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockContact } from '../../../../src/shared/contacts/lock-contact.ts';
import { showId } from '../../../../src/shared/ids.ts';
import type { EventTransaction } from '../../../../src/shared/facts/tell.ts';
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

describe('waking a run', () => {
  /** Whether it was woken before something came for it, when it had come, and after a pass. */
  const wokenBy = async (id: string, comes: () => Promise<unknown>) => {
    await world.advance(id);
    const before = await isWoken(id);
    await comes();
    const then = await isWoken(id);
    await world.advance(id);
    return [before, then, await isWoken(id)];
  };
  const once = [false, true, false];

  test('an answer wakes a run', async () => {
    const { runId, sender } = await world.enrolled([ask('one')]);
    expect(await wokenBy(runId, () => world.says(sender, 'M'))).toEqual(once);
  });

  test('the end of the flow that it has started wakes a run', async () => {
    const { runId, sender } = await world.enrolled([await startChild()]);
    await world.advance(runId);
    const child = await world.childOf(runId);
    await world.advance(child);
    await world.says(sender, 'M');
    expect(await wokenBy(runId, () => world.advance(child))).toEqual(once);
  });

  test('the cancellation of the flow that it has started wakes a run', async () => {
    const { runId } = await world.enrolled([await startChild()]);
    expect(await wokenBy(runId, async () => world.transact(cancel(await world.childOf(runId))))).toEqual(once);
    expect(await world.run(runId)).toMatchObject({ status: 'failed', reason: 'child_cancelled' });
  });

  test('its own cancellation wakes a run', async () => {
    const { runId } = await world.enrolled([ask('one')]);
    expect(await wokenBy(runId, () => world.transact(cancel(runId)))).toEqual(once);
  });

  test('the conversation that it waits for wakes a run', async () => {
    const first = await world.enrolled([ask('one')]);
    await world.advance(first.runId);
    const second = await world.enrol(first.contactId, await flow([ask('two')]));
    const comes = async () => {
      await world.says(first.sender, 'M');
      await world.advance(first.runId);
    };
    expect(await wokenBy(second, comes)).toEqual(once);
  });

  test('a keyword that takes the conversation from it wakes a run', async () => {
    await flow([ask('help')], [{ type: 'keyword', match: 'exact', words: ['help'], interrupt: true }]);
    const { runId, sender } = await world.enrolled([ask('one')]);
    expect(await wokenBy(runId, () => world.says(sender, 'help'))).toEqual(once);
  });
});

describe('the sweep', () => {
  /** When the sweep checks a run, in seconds from now and behind the timer of the run; null when it does not. */
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

  test('the sweep checks a run half a minute after its timer', async () => {
    expect(await swept([{ id: 'd', type: 'delay', for: 'P3D' }])).toMatchObject({ behindTimerS: 30 });
  });

  test('the sweep checks a run that goes on within a minute, and one at its request within five', async () => {
    expect((await swept(many))?.inS).toBeLessThan(60);
    expect((await swept([call]))?.inS).toBeLessThan(300);
  });

  test('the sweep never checks runs that wait without a time, however many do', async () => {
    const { runId } = await world.enrolled([await startChild()]);
    await world.advance(runId);
    expect((await sweepOf(runId))?.inS).toBe(Infinity);
  });

  test('the sweep checks a cancelled run until the workflow that carries it has acknowledged it', async () => {
    const { runId } = await world.enrolled([ask('one')]);
    await world.advance(runId);
    await loseWorkflow(world.db, runId);
    await world.transact(cancel(runId));
    await world.activities.advanceRun({ runId: showId('run', runId), resumes: 0 });
    expect((await sweepOf(runId))?.inS).toBeLessThan(60);
    await world.activities.advanceRun({ runId: showId('run', runId), resumes: 1 });
    expect((await sweepOf(runId))?.inS).toBeNull();
  });
});

describe('locks of the contact', () => {
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

  test('cancelling a run waits for whoever has locked the contact', async () => {
    const { contactId, runId } = await world.enrolled([ask('one')]);
    expect(await heldUp(contactId, runId, cancel(runId))).toBe('running');
    expect(await world.run(runId)).toMatchObject({ status: 'cancelled' });
  });

  test('retrying a run waits for whoever has locked the contact', async () => {
    const { contactId, runId } = await world.enrolled([fails]);
    await world.advance(runId);
    const retry = (tx: EventTransaction) => retryRun(tx, { accountId: world.accountId, runId });
    expect(await heldUp(contactId, runId, retry)).toBe('failed');
    expect(await world.run(runId)).toMatchObject({ status: 'running', step: 2 });
  });
});

test('blocks without a wait are counted from pass to pass, and anew after a retry', async () => {
  const blocks = Array.from({ length: 101 }, (_, index) => ({ id: `b${index}`, type: 'add_tag', tag: 'seen' }));
  const { runId } = await world.enrolled(blocks);
  expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'failed', reason: 'loop_guard' });
  expect(await world.run(runId)).toMatchObject({ step: 100 });
  await world.transact((tx) => retryRun(tx, { accountId: world.accountId, runId }));
  expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'completed' });
});
