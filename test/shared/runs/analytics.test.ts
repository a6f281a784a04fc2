import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { changeFlow } from '../../../src/shared/flows/manage.ts';
import { showId } from '../../../src/shared/ids.ts';
import { readBlockAnalytics, type BlockAnalytics } from '../../../src/shared/runs/analytics/read-blocks.ts';
import { rollUpBlocks } from '../../../src/shared/runs/analytics/roll-up-blocks.ts';
import { cancelRun } from '../../../src/shared/runs/life/cancel.ts';
import { retryRun } from '../../../src/shared/runs/life/retry.ts';
import { connectDatabase } from '../../../src/shared/platform/db/connect.ts';
import { dueOf, startFlowWorld, type FlowWorld } from '../../helpers/flow-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { ageMoves, haveBlockHour } from '../../helpers/states/analytics.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const blocks = [
  {
    id: 'ask',
    type: 'ask',
    prompt: 'Which size?',
    timeout: 'PT1H',
    next: { answered: 'tag', invalid: null, timeout: 'late' },
  },
  { id: 'tag', type: 'add_tag', tag: 'asked', next: { default: 'bye' } },
  { id: 'late', type: 'handover', reason: 'late', wait: true, timeout: 'PT1H', next: { resolved: null } },
  { id: 'bye', type: 'end' },
];

const numbersOf = async (flowId: string, version?: number): Promise<Record<string, BlockAnalytics>> => {
  const { accountId, db } = world;
  const read = await readBlockAnalytics(db, { accountId, flowId, version });
  return Object.fromEntries(read.blocks.map((block) => [block.blockId, block]));
};

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

/** What a block lacks in its sum. */
const gapOf = (one: BlockAnalytics): number =>
  (one.before ?? Number.NaN) +
  one.entered -
  (sum(one.left) + one.ended + one.failed + one.cancelled + one.here.count + one.uncounted);

let senders = 0;
const begin = async (flowId: string) => {
  senders += 1;
  const sender = `sender-${senders}`;
  const { contactId } = await world.says(sender, 'hello');
  const runId = await world.enrol(contactId, flowId);
  return { sender, runId, next: await world.advance(runId) };
};

/** Runs that answered, were late, were cancelled, and still wait. */
const walk = async (flowId: string) => {
  for (let answered = 0; answered < 2; answered += 1) {
    const { sender, runId } = await begin(flowId);
    await world.says(sender, 'L');
    expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'completed' });
  }
  const late = await begin(flowId);
  await world.advance(late.runId, dueOf(late.next)?.step);
  const gone = await begin(flowId);
  const { accountId, transact } = world;
  await transact((tx) => cancelRun(tx, { accountId, runId: gone.runId, reason: 'cancelled' }));
  await begin(flowId);
};

describe('numbers of blocks', () => {
  test('are there at once, add up at each block, and stay the same when they are rolled up', async () => {
    const flowId = await aFlow(world.db, world.accountId, { blocks });
    await walk(flowId);
    const live = await numbersOf(flowId);
    expect(live).toMatchObject({
      ask: {
        entered: 5,
        left: { answered: 2, timeout: 1 },
        timedOut: 1,
        cancelledBy: { cancelled: 1 },
        here: { count: 1 },
      },
      tag: { entered: 2, left: { default: 2 }, here: { count: 0 } },
      bye: { entered: 2, ended: 2 },
      late: { entered: 1, here: { count: 1 } },
    });
    expect(Object.keys(live)).toEqual(['ask', 'tag', 'late', 'bye']);
    expect(Object.values(live).filter((one) => gapOf(one) !== 0 || one.before !== 0)).toEqual([]);
    expect(await rollUpBlocks(world.db)).toBeGreaterThan(0);
    expect(await rollUpBlocks(world.db)).toBe(0);
    expect(await numbersOf(flowId)).toEqual(live);
    await walk(flowId);
    const both = await numbersOf(flowId);
    expect(both['ask']).toMatchObject({ entered: 10, left: { answered: 4, timeout: 2 }, here: { count: 2 } });
    await rollUpBlocks(world.db, { rows: 3 });
    expect(await numbersOf(flowId)).toEqual(both);
  });

  test('tell what failed, by which port, and count a retry as another entry', async () => {
    const call = { id: 'call', type: 'external_request', method: 'GET', url: 'https://127.0.0.1:9/', attempts: 1 };
    const flowId = await aFlow(world.db, world.accountId, { blocks: [{ ...call, next: { success: null } }] });
    const { runId } = await begin(flowId);
    const fail = async (resumes: number) => {
      const [run] = await world.db<{ step: number }[]>`select step from runs where id = ${runId}`;
      await world.activities.callThirdParty({ runId: showId('run', runId), resumes }, run?.step ?? 0);
    };
    await fail(0);
    expect(await numbersOf(flowId)).toMatchObject({
      call: { entered: 1, left: {}, failed: 1, failedBy: { error: 1 }, here: { count: 0 } },
    });
    const { accountId, transact } = world;
    await transact((tx) => retryRun(tx, { accountId, runId }));
    expect(await numbersOf(flowId)).toMatchObject({ call: { entered: 2, failed: 1, here: { count: 1 } } });
    await world.advance(runId);
    await fail(1);
    const after = await numbersOf(flowId);
    expect(after).toMatchObject({ call: { entered: 2, failed: 2, here: { count: 0 } } });
    expect(Object.values(after).map(gapOf)).toEqual([0]);
  });

  test('are of one version where that is asked for, and of no other flow', async () => {
    const flowId = await aFlow(world.db, world.accountId, { blocks });
    await begin(await aFlow(world.db, world.accountId, { blocks }));
    await begin(flowId);
    expect(await numbersOf(flowId, 1)).toMatchObject({ ask: { entered: 1, here: { count: 1 }, before: 0 } });
    expect(await numbersOf(flowId, 2)).toEqual({});
  });

  test('are counted once by processes that roll up at the same time', async () => {
    const flowId = await aFlow(world.db, world.accountId, { blocks });
    await walk(flowId);
    const live = await numbersOf(flowId);
    const other = connectDatabase(world.target);
    onTestFinished(() => other.end());
    const counted = await Promise.all([world.db, other, world.db, other].map((db) => rollUpBlocks(db, { rows: 2 })));
    expect(counted.reduce((all, some) => all + some, 0)).toBeGreaterThan(8);
    await rollUpBlocks(world.db);
    expect(await numbersOf(flowId)).toEqual(live);
  });

  test('reach back seven days, and tell who was there before', async () => {
    const flowId = await aFlow(world.db, world.accountId, { blocks });
    await walk(flowId);
    await ageMoves(world.db, { days: 8 });
    await begin(flowId);
    expect(await numbersOf(flowId)).toMatchObject({ ask: { entered: 1, left: {}, here: { count: 2 }, before: 1 } });
    await rollUpBlocks(world.db);
    const old = await haveBlockHour(world.db, { flowId, accountId: world.accountId, daysAgo: 9 });
    expect(await numbersOf(flowId)).toMatchObject({ ask: { entered: 1, before: 1 } });
    await rollUpBlocks(world.db);
    expect(await world.db`select from block_hours where hour = ${old}`).toHaveLength(0);
  });

  test('of a paused flow do not tell who was there before: runs wait at blocks that they have left', async () => {
    const { accountId, transact } = world;
    const flowId = await aFlow(world.db, accountId, { blocks });
    await begin(flowId);
    await transact((tx) => changeFlow(tx, { accountId, id: flowId }, 'pause'));
    expect(await numbersOf(flowId)).toMatchObject({ ask: { entered: 1, before: null } });
  });

  test('read no more of what is not counted yet than their bound, and say so', async () => {
    const { db, accountId } = world;
    const flowId = await aFlow(db, accountId, { blocks });
    await begin(flowId);
    await begin(flowId);
    expect(await readBlockAnalytics(db, { accountId, flowId, version: undefined, cap: 1 })).toMatchObject({
      isCapped: true,
      blocks: [{ entered: 1, here: { count: 2 }, before: 1 }],
    });
  });

  test('read no more hours than their bound, the latest ones wholly, and say since when', async () => {
    const { db, accountId } = world;
    const flowId = await aFlow(db, accountId, { blocks });
    const hours: Date[] = [];
    for (const daysAgo of [1, 2, 3]) hours.push(await haveBlockHour(db, { flowId, accountId, daysAgo }));
    await haveBlockHour(db, { flowId, accountId, daysAgo: 2, blockId: 'late' });
    const read = (most: number, version?: number) =>
      readBlockAnalytics(db, { accountId, flowId, version, hours: most });
    const [yesterday = new Date()] = hours;
    expect(await read(4)).toMatchObject({ isShort: false, blocks: [{ entered: 300 }, { entered: 100 }] });
    // Of the hour of two days ago there is room for one row: it is left out.
    for (const version of [undefined, 1]) {
      const some = await read(2, version);
      expect(some).toMatchObject({ isShort: true, blocks: [{ blockId: 'ask', entered: 100, uncounted: 100 }] });
      expect(some.since.getTime()).toBeGreaterThan(yesterday.getTime() - 24 * 3_600_000);
      expect(some.since.getTime()).toBeLessThanOrEqual(yesterday.getTime());
    }
    await begin(flowId);
    expect(await read(2)).toMatchObject({ blocks: [{ blockId: 'ask', entered: 101, here: { count: 1 } }] });
  });
});
