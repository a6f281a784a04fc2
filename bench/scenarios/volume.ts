import { cpus } from 'node:os';
import { workflowPerDelivery } from '../../src/shared/platform/config.ts';
import { createBareTarget } from '../bare-target.ts';
import { startFloor } from '../floor.ts';
import { runClosedLoop, runOpenLoop } from '../load.ts';
import { measure, type Measured } from '../measure.ts';
import { countedParts, saturateFloor, sumOf, type Saturated } from '../phases.ts';
import { readMemory } from '../processes.ts';
import { partsOf, whole, type Process } from '../servers.ts';
import { median } from '../statistics.ts';
import type { Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import { isLossless, onNewGround } from './scenario.ts';

const kinds = [...workflowPerDelivery, 'graphile', 'bare outbox'] as const;
type Kind = (typeof kinds)[number];
type Rate = Omit<Measured, 'ids'> & { offered: number };

/** Offered messages per second. A mode that carries fewer than so many is not asked for them: it would fall behind for minutes. */
const rates = [20, 50, 200, 500];
const carriesAtMost: Partial<Record<Kind, number>> = { always: 50, graphile: 200 };

/** Parley in each mode beside its yardsticks, each in a process and a database of its own, in turn. */
export const volume = onNewGround(async (ground, { seconds, rounds, outstanding }, say) => {
  const processes: Partial<Record<Kind, Process>> = {};
  const targets: Partial<Record<Kind, Pick<Target, 'hand'>>> = {};
  for (const kind of kinds) {
    const database = await ground.postgres.createDatabase(kind.replaceAll(/\W/g, '_'));
    const file = kind === 'graphile' ? 'bench/graphile.ts' : kind === 'bare outbox' ? 'bench/bare-outbox.ts' : whole;
    const env = file === whole ? { WORKFLOW_PER_DELIVERY: kind } : {};
    const started = await ground.startProcess(kind, { file, database, env });
    processes[kind] = started;
    if (kind === 'bare outbox') {
      const target = await createBareTarget(started);
      ground.defer(() => target.close());
      targets[kind] = target;
    } else {
      targets[kind] = await ground.addTarget(started);
    }
  }
  const floor = startFloor(ground.temporal.address);
  ground.defer(() => floor.stop());
  const parts = { ...partsOf(ground, processes), floor: floor.pid };
  const targetOf = (kind: Kind): Pick<Target, 'hand'> => {
    const target = targets[kind];
    if (!target) throw new Error(`no ${kind}`);
    return target;
  };
  const { receiver } = ground;
  const offer = async (kind: Kind, load: { perSecond: number; seconds: number }): Promise<Omit<Measured, 'ids'>> => {
    const { ids: _, ...measured } = await measure(parts, () => runOpenLoop({ target: targetOf(kind), receiver }, load));
    return measured;
  };
  const saturate = async (kind: Kind, forSeconds: number): Promise<Omit<Measured, 'ids'>> => {
    const load = { outstanding, seconds: forSeconds };
    const { ids: _, ...measured } = await measure(parts, () =>
      runClosedLoop({ target: targetOf(kind), receiver }, load),
    );
    return measured;
  };

  say('volume: warming up …');
  for (const kind of kinds) await offer(kind, { perSecond: 40, seconds: Math.min(5, seconds) });
  await saturateFloor({ floor, parts }, 1);

  const atRates: Record<Kind, Rate[]> = recordOf(() => []);
  for (const perSecond of rates) {
    for (const kind of kinds) {
      if (perSecond > (carriesAtMost[kind] ?? Infinity)) continue;
      say(`volume: ${kind}, ${perSecond} messages/s for ${seconds} s …`);
      atRates[kind].push({ offered: perSecond, ...(await offer(kind, { perSecond, seconds })) });
    }
  }
  const saturated: Record<Kind, Omit<Measured, 'ids'>[]> = recordOf(() => []);
  const floors: Saturated[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`volume: saturation, round ${round} of ${rounds} …`);
    for (const kind of kinds) saturated[kind].push(await saturate(kind, seconds / 3));
    floors.push(await saturateFloor({ floor, parts }, seconds / 3));
  }
  const burst = await offer('unless-behind', { perSecond: 300, seconds: 4 * seconds });
  const memory = readMemory(parts);

  /** What counts for a kind: its own process, PostgreSQL, and Temporal where it uses that. */
  const countedOf = (kind: Kind): string[] => [
    kind,
    'postgres',
    ...(kind === 'graphile' || kind === 'bare outbox' ? [] : ['temporal']),
  ];
  const speedOf = (kind: Kind): number => median(saturated[kind].map(({ perSecond }) => perSecond));
  const cpuOf = (kind: Kind): number => median(saturated[kind].map(({ cpuMs }) => sumOf(cpuMs, countedOf(kind))));
  const spreadOf = (kind: Kind): string => {
    const all = saturated[kind].map(({ perSecond }) => perSecond);
    return `${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)}`;
  };
  const floorCpu = median(floors.map(({ cpuMs }) => sumOf(cpuMs, countedParts.floor)));
  const floorSpeed = median(floors.map(({ perSecond }) => perSecond));
  const pssOf = (kind: Kind): number => countedOf(kind).reduce((sum, part) => sum + (memory[part]?.pssMb ?? 0), 0);
  const at = (kind: Kind, offered: number): Rate | undefined => atRates[kind].find((rate) => rate.offered === offered);
  const [cpu] = cpus();
  const ofBare = {
    speed: speedOf('on-failure') / speedOf('bare outbox'),
    cpu: cpuOf('on-failure') / cpuOf('bare outbox'),
  };
  const all = [...kinds.flatMap((kind) => [...atRates[kind], ...saturated[kind]]), burst];
  return {
    title: `Volume on ${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}; ${outstanding} messages outstanding at saturation, medians of ${rounds} rounds`,
    lines: [
      ...table(
        [
          'ms, p50 / p95 / p99',
          ...rates.map((rate) => `${rate}/s: answer`),
          ...rates.map((rate) => `${rate}/s: received`),
        ],
        kinds.map((kind) => [
          kind,
          ...rates.map((rate) => sayQuantiles(at(kind, rate)?.answerMs)),
          ...rates.map((rate) => sayQuantiles(at(kind, rate)?.receivedMs)),
        ]),
      ),
      '',
      ...table(
        [
          'at saturation',
          'deliveries/s',
          'spread',
          'CPU ms',
          'Node',
          'PostgreSQL',
          'Temporal',
          'of the bare outbox',
          'PSS MB',
        ],
        [
          ...kinds.map((kind) => [
            kind,
            speedOf(kind).toFixed(0),
            spreadOf(kind),
            cpuOf(kind).toFixed(2),
            ...[kind, 'postgres', 'temporal'].map((part) =>
              countedOf(kind).includes(part)
                ? median(saturated[kind].map(({ cpuMs }) => cpuMs[part] ?? 0)).toFixed(2)
                : '',
            ),
            `${(speedOf(kind) / speedOf('bare outbox')).toFixed(2)}×`,
            pssOf(kind).toFixed(0),
          ]),
          ['an empty activity', floorSpeed.toFixed(0), '', floorCpu.toFixed(2), '', '', '', '', ''],
        ],
      ),
      '',
      `  300/s for ${4 * seconds} s, unless-behind: received ${sayQuantiles(burst.receivedMs)} ms`,
    ],
    aims: [
      aim(ofBare.speed >= 0.65, `on-failure at least 0.65 × the bare outbox: ${ofBare.speed.toFixed(2)} ×`),
      aim(ofBare.cpu <= 1.6, `on-failure at most 1.6 × its CPU: ${ofBare.cpu.toFixed(2)} ×`),
      aim(
        (at('on-failure', 50)?.receivedMs.p95 ?? Infinity) <= 8,
        `on-failure, 50/s, received p95 at most 8 ms: ${ms(at('on-failure', 50)?.receivedMs.p95)}`,
      ),
      aim(
        (at('on-failure', 200)?.receivedMs.p95 ?? Infinity) <= 10,
        `200/s at most 10 ms: ${ms(at('on-failure', 200)?.receivedMs.p95)}`,
      ),
      aim(
        (at('on-failure', 50)?.answerMs.p95 ?? Infinity) <= 6,
        `answer p95 at most 6 ms: ${ms(at('on-failure', 50)?.answerMs.p95)}`,
      ),
      aim(
        (at('unless-behind', 50)?.receivedMs.p95 ?? Infinity) < 60,
        `unless-behind, 50/s, received p95 under 60 ms: ${ms(at('unless-behind', 50)?.receivedMs.p95)}`,
      ),
      aim(burst.receivedMs.p99 <= 5_000, `a burst of 300/s received within 5 s: p99 ${ms(burst.receivedMs.p99)} ms`),
      aim(
        cpuOf('always') <= 1.4 * floorCpu,
        `always at most 1.4 × the CPU of an empty activity: ${(cpuOf('always') / floorCpu).toFixed(2)} ×`,
      ),
      aim(pssOf('unless-behind') <= 600, `memory at most 600 MB: ${pssOf('unless-behind').toFixed(0)} MB`),
    ],
    lossless: isLossless(...all),
    figures: { atRates, saturated, floors, burst, memory, ofBare },
  };
});

const recordOf = <Value>(make: () => Value): Record<Kind, Value> => ({
  always: make(),
  'unless-behind': make(),
  'on-failure': make(),
  graphile: make(),
  'bare outbox': make(),
});

const sayQuantiles = (quantiles: Measured['receivedMs'] | undefined): string =>
  quantiles ? [quantiles.p50, quantiles.p95, quantiles.p99].map(ms).join(' / ') : '';
