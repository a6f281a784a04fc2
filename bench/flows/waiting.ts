import { setTimeout as sleep } from 'node:timers/promises';
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

/** What contacts cost who wait: one half for an answer, the other half for a time. */
export const measureWaiting = async (
  { target, parts, sql, addFlow, write }: Stage,
  { seconds, waiting: count }: Options,
  say: (line: string) => void,
): Promise<WaitingMeasured> => {
  const ask = { id: 'size', type: 'ask', prompt: 'Which size?', next: { invalid: null, timeout: null } };
  await addFlow({ keyword: 'ask', blocks: [ask] });
  await addFlow({ keyword: 'pause', blocks: [{ id: 'pause', type: 'delay', for: 'P3D' }] });
  const rest = async (): Promise<Rest> => {
    // What has just happened settles first.
    await sleep(seconds * 500);
    const { cpuMs } = await withCpu(parts, () => sleep(seconds * 1000));
    return { memory: readMemory(parts), cpuMsPerSecond: sumOf(cpuMs, counted) / seconds };
  };
  const countWaiting = async (): Promise<number> => {
    const [row] = await sql<[{ waiting: number }]>`
      select count(*)::int as waiting from runs
      where account_id = ${target.accountId} and ended_at is null and status = 'waiting'`;
    return row.waiting;
  };
  const before = await rest();
  say(`flows: ${count} contacts begin to wait …`);
  await forEachIn({ lanes: 32, count }, (index) =>
    write({ sender: `waiting-${index}`, text: index % 2 === 0 ? 'ask' : 'pause' }),
  );
  while ((await countWaiting()) < count) await sleep(lookEveryMs);
  return { waiting: count, before, after: await rest() };
};
