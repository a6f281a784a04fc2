import { setTimeout as sleep } from 'node:timers/promises';
import { readId } from '../../src/shared/ids.ts';
import { startFloor } from '../floor.ts';
import { forEachIn } from '../lanes.ts';
import { perOne, readHistoryLengths, withCpu } from '../measure.ts';
import type { Options } from '../options.ts';
import { countedParts, saturateFloor, sumOf } from '../phases.ts';
import { median, nowMs } from '../statistics.ts';
import type { Block } from './automation.ts';
import { counted, type Stage } from './stage.ts';

/** Five blocks, one of which calls a service; and the same without the call. */
export type FlowKind = 'with a call' | 'without';

export type RunFigures = {
  runs: number;
  perSecond: number;
  stepsPerSecond: number;
  /** From entering a block to leaving it; blocks that one look walks through take none. */
  stepP95Ms: number;
  /** From the enrolment to the end. */
  runP95Ms: number;
  cpuMs: number;
  historyEvents: number[];
  /** Runs that did not complete. */
  unfinished: number;
};

/** `floorCpuMs`: of a workflow of the same shape whose activities do nothing. */
export type RunsMeasured = { floorCpuMs: Record<FlowKind, number>; kinds: Record<FlowKind, RunFigures[]> };

const shapes = [
  ['with a call', 'floorWithCall'],
  ['without', 'floor'],
] as const;

const contacts = 50;
const lookEveryMs = 20;

/** Runs that have not ended after so long, in ms, count as unfinished. */
const patienceMs = 30_000;

/** Runs of both flows at saturation, in turn with the floor. */
export const measureRuns = async (
  stage: Stage,
  { seconds, rounds, outstanding }: Options,
  say: (line: string) => void,
): Promise<RunsMeasured> => {
  const { ground, addFlow, write } = stage;
  const contactIds: string[] = [];
  await forEachIn({ lanes: 10, count: contacts }, async (index) => {
    contactIds.push(await write({ sender: `walker-${index}`, text: 'hello' }));
  });
  const url = `https://127.0.0.1:${ground.receiver.port}/stock`;
  const mapping = [{ path: '$.items[0].left', field: 'left' }];
  const call = {
    id: 'stock',
    type: 'external_request',
    method: 'GET',
    url,
    mapping,
    next: { error: null, timeout: null },
  };
  const flows: Record<FlowKind, string> = {
    'with a call': await addFlow({ blocks: fiveBlocks(call), reentry: 'allow' }),
    without: await addFlow({
      blocks: fiveBlocks({ id: 'left', type: 'set_field', field: 'left', value: 3 }),
      reentry: 'allow',
    }),
  };
  const floor = startFloor(ground.temporal.address);
  ground.defer(() => floor.stop());
  const parts = { ...stage.parts, floor: floor.pid };
  const saturate = (kind: FlowKind, load: { seconds: number; outstanding: number }) =>
    saturateFlow(stage, { contactIds, flowId: flows[kind], ...load });

  say('flows: warming up …');
  const warmUp = { seconds: Math.min(3, seconds), outstanding };
  await saturate('with a call', warmUp);
  await saturate('without', warmUp);
  for (const [, shape] of shapes) await saturateFloor({ floor, parts }, 1, shape);
  const floors: Record<FlowKind, number[]> = { 'with a call': [], without: [] };
  const kinds: RunsMeasured['kinds'] = { 'with a call': [], without: [] };
  for (let round = 1; round <= rounds; round += 1) {
    say(`flows: runs at saturation, round ${round} of ${rounds} …`);
    const load = { seconds: seconds / 3, outstanding };
    kinds['with a call'].push(await saturate('with a call', load));
    kinds.without.push(await saturate('without', load));
    for (const [kind, shape] of shapes) {
      const { cpuMs } = await saturateFloor({ floor, parts }, seconds / 3, shape);
      floors[kind].push(sumOf(cpuMs, countedParts.floor));
    }
  }
  return { floorCpuMs: { 'with a call': median(floors['with a call']), without: median(floors.without) }, kinds };
};

const fiveBlocks = (call: Block): readonly Block[] => [
  { id: 'size', type: 'set_field', field: 'size', value: 'M' },
  {
    id: 'is_m',
    type: 'condition',
    rules: [{ field: 'size', op: 'is', value: 'M' }],
    next: { false: null },
  },
  call,
  { id: 'note', type: 'set_field', field: 'note', value: '{{left|default:0}} left in {{size}}' },
  { id: 'done', type: 'end' },
];

type FlowLoad = { contactIds: readonly string[]; flowId: string; seconds: number; outstanding: number };

/** Keeps so many runs of a flow under way, for so long, and then waits for the rest. */
const saturateFlow = async (
  { ground, parts, sql, enrol }: Stage,
  { contactIds, flowId, seconds, outstanding }: FlowLoad,
): Promise<RunFigures> => {
  const flow = readId('flow', flowId);
  const countOpen = async (): Promise<number> => {
    const [row] = await sql<[{ open: number }]>`
      select count(*)::int as open from runs where flow_id = ${flow} and ended_at is null`;
    return row.open;
  };
  const { result, cpuMs } = await withCpu(parts, async () => {
    const enrolling = new Set<Promise<void>>();
    const runIds: string[] = [];
    const begin = async (contactId: string): Promise<void> => {
      runIds.push(await enrol(contactId, flowId));
    };
    const startMs = nowMs();
    while (nowMs() < startMs + seconds * 1000) {
      const room = outstanding - enrolling.size - (await countOpen());
      for (let more = 0; more < room; more += 1) {
        const contactId = contactIds[(runIds.length + enrolling.size) % contactIds.length] ?? '';
        const one = begin(contactId).finally(() => enrolling.delete(one));
        enrolling.add(one);
      }
      await sleep(lookEveryMs);
    }
    await Promise.all(enrolling);
    const deadline = nowMs() + patienceMs;
    while ((await countOpen()) > 0 && nowMs() < deadline) await sleep(lookEveryMs);
    return { runIds, seconds: (nowMs() - startMs) / 1000 };
  });
  const { runIds } = result;
  const [row] = await sql<[{ completed: number; steps: number; stepP95Ms: number; runP95Ms: number }]>`
    with mine as materialized (
      select id, status, ended_at - started_at as took from runs where id = any(${runIds.map((id) => readId('run', id))}))
    select
      (select count(*)::int from mine where status = 'completed') as completed,
      (select count(*)::int from mine join run_steps on run_id = id) as steps,
      (select extract(epoch from percentile_cont(0.95) within group (order by left_at - entered_at))::float8 * 1000
        from mine join run_steps on run_id = id) as step_p95_ms,
      (select extract(epoch from percentile_cont(0.95) within group (order by took))::float8 * 1000 from mine) as run_p95_ms`;
  return {
    runs: runIds.length,
    perSecond: runIds.length / result.seconds,
    stepsPerSecond: row.steps / result.seconds,
    stepP95Ms: row.stepP95Ms,
    runP95Ms: row.runP95Ms,
    cpuMs: sumOf(perOne(cpuMs, runIds.length), counted),
    historyEvents: await readHistoryLengths(
      ground.temporal.address,
      runIds.map((id) => `run/${id}`),
    ),
    unfinished: runIds.length - row.completed,
  };
};
