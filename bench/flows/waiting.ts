import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { forEachIn } from '../lanes.ts';
import { withCpu } from '../measure.ts';
import type { Options } from '../options.ts';
import { sumOf } from '../phases.ts';
import { readMemory } from '../processes.ts';
import { counted, type Stage } from './stage.ts';

/** At rest: memory in MB, and CPU time in ms per second, most of which is the sweep's. */
type Rest = { memory: ReturnType<typeof readMemory>; cpuMsPerSecond: number };

export type WaitingMeasured = { waiting: number; before: Rest; after: Rest };

const lookEveryMs = 250;

/** V8 begins to give memory back when a process has done little for eight seconds, and does so in steps. */
const settlingMs = 20_000;
const warmUpAtMost = 3_000;
const changed = z.object({ more: z.boolean() });

/** What contacts cost who wait: one half for an answer, the other half for a time. */
export const measureWaiting = async (
  { target, parts, sql, addFlow, write }: Stage,
  { seconds, waiting: count }: Options,
  say: (line: string) => void,
): Promise<WaitingMeasured> => {
  const ask = { id: 'size', type: 'ask', prompt: 'Which size?', next: { invalid: null, timeout: null } };
  const flowIds = [
    await addFlow({ keyword: 'ask', blocks: [ask] }),
    await addFlow({ keyword: 'pause', blocks: [{ id: 'pause', type: 'delay', for: 'P3D' }] }),
  ];
  const rest = async (): Promise<Rest> => {
    // What has just happened settles first.
    await sleep(settlingMs);
    const { cpuMs } = await withCpu(parts, () => sleep(seconds * 1000));
    return { memory: readMemory(parts), cpuMsPerSecond: sumOf(cpuMs, counted) / seconds };
  };
  const countWaiting = async (): Promise<number> => {
    const [row] = await sql<[{ waiting: number }]>`
      select count(*)::int as waiting from runs
      where account_id = ${target.accountId} and ended_at is null and status = 'waiting'`;
    return row.waiting;
  };
  const haveThemWait = async (group: string, some: number): Promise<void> => {
    await forEachIn({ lanes: 32, count: some }, (index) =>
      write({ sender: `${group}-${index}`, text: index % 2 === 0 ? 'ask' : 'pause' }),
    );
    while ((await countWaiting()) < some) await sleep(lookEveryMs);
  };
  // Some begin to wait and end before: what the work itself leaves in memory is not what those take who wait.
  say('flows: warming up …');
  await haveThemWait('warm-up', Math.min(warmUpAtMost, count));
  for (const flowId of flowIds) {
    const body = { flow_id: flowId };
    while (changed.parse(await target.call({ method: 'POST', path: '/v1/runs/cancel', status: 200, body })).more);
  }
  const before = await rest();
  say(`flows: ${count} contacts begin to wait …`);
  await haveThemWait('waiting', count);
  return { waiting: count, before, after: await rest() };
};
