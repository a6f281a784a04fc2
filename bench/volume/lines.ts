import { cpus } from 'node:os';
import { countedParts, sumOf, type Saturated } from '../phases.ts';
import { median, type Quantiles } from '../statistics.ts';
import { aim, ms, table } from '../text.ts';
import { countedOf, kinds, type Figures, type Kind, type Mode } from './stage.ts';

export type Rate = Figures & { offered: number };

export type VolumeFigures = {
  atRates: Map<Kind, Rate[]>;
  /** Of each round. */
  saturated: Map<Kind, Figures[]>;
  floors: Saturated[];
  /** `every`, with the share of its deliveries that have a workflow. */
  withWorkflow: (Rate & { withWorkflow: number })[];
  /** `every` in a burst, for a minute. */
  burst: Figures;
  /** The healthy nine of ten, while the tenth is well and while it hangs. */
  beside: Map<Mode, Record<'quiet' | 'hanging', Figures>>;
};

const inAllRounds = (saturated: VolumeFigures['saturated'], kind: Kind): Figures[] => saturated.get(kind) ?? [];

/** The measurements as lines for people, with the aims. */
export const sayVolume = (
  { atRates, saturated, floors, withWorkflow, burst, beside }: VolumeFigures,
  { rates, rounds, outstanding }: { rates: readonly number[]; rounds: number; outstanding: number },
): { title: string; lines: string[]; aims: string[] } => {
  const over = (kind: Kind, figure: (one: Figures) => number): number =>
    median(inAllRounds(saturated, kind).map(figure));
  const speedOf = (kind: Kind): number => over(kind, ({ perSecond }) => perSecond);
  const cpuOf = (kind: Kind): number => over(kind, ({ cpuMs }) => sumOf(cpuMs, countedOf(kind)));
  const spreadOf = (kind: Kind): string => {
    const speeds = inAllRounds(saturated, kind).map(({ perSecond }) => perSecond);
    return `${Math.min(...speeds).toFixed(0)}–${Math.max(...speeds).toFixed(0)}`;
  };
  const at = (kind: Kind, offered: number): Rate | undefined =>
    atRates.get(kind)?.find((rate) => rate.offered === offered);
  const floor = {
    speed: median(floors.map(({ perSecond }) => perSecond)),
    cpu: median(floors.map(({ cpuMs }) => sumOf(cpuMs, countedParts.floor))),
  };
  const ofBare = (figure: (kind: Kind) => number, kind: Kind): string =>
    `${(figure(kind) / figure('bare outbox')).toFixed(2)}×`;
  const latencies = (title: string, figure: (rate: Rate) => Quantiles): string[] => [
    `  ${title}, ms (p50 / p95 / p99)`,
    ...table(
      ['offered', ...rates.map((rate) => `${rate}/s`)],
      kinds.map((kind) => [
        kind,
        ...rates.map((rate) => {
          const one = at(kind, rate);
          return one ? sayQuantiles(figure(one)) : '';
        }),
      ]),
    ),
    '',
  ];
  const loads: [string, Figures & { offered?: number }][] = [
    ...withWorkflow.map((one): [string, Rate] => [`every, ${percent(one.withWorkflow)} with a workflow`, one]),
    ['every, a burst', burst],
    ...[...beside].flatMap(([mode, two]): [string, Figures][] => [
      [`${mode}, ten receivers well`, two.quiet],
      [`${mode}, one in ten hangs`, two.hanging],
    ]),
  ];
  const [cpu] = cpus();
  const speed = speedOf('on-failure') / speedOf('bare outbox');
  const cost = cpuOf('on-failure') / cpuOf('bare outbox');
  const received = (kind: Kind, offered: number): Quantiles | undefined => at(kind, offered)?.receivedMs;
  const aimsAt = (offered: number): string[] => {
    const [bare, every, onFailure] = [
      received('bare outbox', offered),
      received('every', offered),
      received('on-failure', offered),
    ];
    if (!bare || !every || !onFailure) return [];
    return [
      aim(
        every.p50 <= 1.5 * bare.p50,
        `every, ${offered}/s: p50 at most 1.5 × the bare outbox: ${ratio(every.p50, bare.p50)} ×`,
      ),
      aim(every.p95 <= bare.p95 + 12, `every, ${offered}/s: p95 at most 12 ms more: ${ms(every.p95 - bare.p95)}`),
      aim(
        onFailure.p95 <= 1.3 * bare.p95,
        `on-failure, ${offered}/s: p95 at most 1.3 ×: ${ratio(onFailure.p95, bare.p95)} ×`,
      ),
    ];
  };
  const shareAt = (offered: number): number => withWorkflow.find((one) => one.offered === offered)?.withWorkflow ?? 0;
  const hanging = [...beside].map(([mode, { quiet, hanging: hangs }]) => ({
    mode,
    ratio: hangs.receivedMs.p95 / quiet.receivedMs.p95,
  }));
  return {
    title: `Volume on ${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}; ${outstanding} messages outstanding at saturation, medians of ${rounds} rounds`,
    lines: [
      ...latencies('event → received', ({ receivedMs }) => receivedMs),
      ...latencies('answer 202', ({ answerMs }) => answerMs),
      ...table(
        [
          'at saturation',
          'deliveries/s',
          'spread',
          'of bare',
          'CPU ms',
          'of bare',
          'CPU: Node',
          'PostgreSQL',
          'Temporal',
        ],
        [
          ...kinds.map((kind) => [
            kind,
            speedOf(kind).toFixed(0),
            spreadOf(kind),
            ofBare(speedOf, kind),
            cpuOf(kind).toFixed(2),
            ofBare(cpuOf, kind),
            ...countedOf(kind).map((part) => over(kind, ({ cpuMs }) => cpuMs[part] ?? 0).toFixed(2)),
          ]),
          ['an empty activity', floor.speed.toFixed(0), '', '', floor.cpu.toFixed(2)],
        ],
      ),
      '',
      ...table(
        ['overload and neighbours', 'offered', 'carried/s', 'received p50 / p95 / p99, ms', 'lost', 'doubled'],
        loads.map(([name, one]) => sayLoad(name, one)),
      ),
    ],
    aims: [
      ...[50, 200].flatMap(aimsAt),
      aim(speed >= 0.8, `on-failure at least 0.8 × the bare outbox: ${speed.toFixed(2)} ×`),
      aim(cost <= 1.6, `on-failure at most 1.6 × its CPU: ${cost.toFixed(2)} ×`),
      aim(
        speedOf('every') >= 0.9 * speedOf('on-failure'),
        `every at least 0.9 × on-failure: ${ratio(speedOf('every'), speedOf('on-failure'))} ×`,
      ),
      aim(shareAt(20) === 1, `every delivery has a workflow at 20/s: ${percent(shareAt(20))}`),
      aim(shareAt(50) >= 0.9, `nine of ten at 50/s: ${percent(shareAt(50))}`),
      aim(burst.receivedMs.p99 <= 2_000, `300/s for a minute received within 2 s: p99 ${ms(burst.receivedMs.p99)} ms`),
      ...hanging.map((one) =>
        aim(
          one.ratio <= 2,
          `${one.mode}: p95 of the healthy at most doubled by one that hangs: ${one.ratio.toFixed(2)} ×`,
        ),
      ),
    ],
  };
};

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

const ratio = (a: number | undefined, b: number | undefined): string =>
  ((a ?? Number.NaN) / (b ?? Number.NaN)).toFixed(2);

const sayLoad = (name: string, figures: Figures & { offered?: number }): string[] => [
  name,
  figures.offered === undefined ? '' : `${figures.offered.toFixed(0)}/s`,
  figures.perSecond.toFixed(0),
  sayQuantiles(figures.receivedMs),
  String(figures.lost),
  String(figures.doubled),
];

const sayQuantiles = (quantiles: Quantiles): string =>
  [quantiles.p50, quantiles.p95, quantiles.p99].map(ms).join(' / ');
