import { cpus } from 'node:os';
import type { Options } from './options.ts';
import { countedParts, sumOf, type Results, type Saturated } from './phases.ts';
import { median, type Quantiles } from './statistics.ts';
import { aim, ms, table } from './text.ts';

/** The measurements as lines for people: absolute numbers, ratios to the yardsticks, and the aims. */
export const createReport = (
  results: Results,
  { seconds, rounds, outstanding }: Options,
): { lines: string[]; aims: string[] } => {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, Node ${process.version}`;
  const lines = [
    `${machine}; load average before the start ${results.loadBefore.toFixed(2)} (over 0.5: the machine was not quiet)`,
    '',
    `Parley at fixed rates, ${seconds} s each; ms from the moment that a message was due (p50 / p95 / p99)`,
    ...table(
      ['offered', 'answer 202', 'event → received', 'lost', 'doubled', 'history events'],
      results.rates.map((rate) => [
        `${rate.perSecondOffered}/s`,
        sayQuantiles(rate.answerMs),
        sayQuantiles(rate.receivedMs),
        String(rate.lost),
        String(rate.doubled),
        sayLengths(rate.historyEvents),
      ]),
    ),
    '',
    'CPU ms per delivery at these rates; in brackets what the bench itself takes',
    ...table(
      ['offered', 'Temporal', 'Parley', 'PostgreSQL', 'sum', '(load)', '(receiver)'],
      results.rates.map(({ perSecondOffered, cpuMs }) => [
        `${perSecondOffered}/s`,
        ...countedParts.parley.map((part) => ms(cpuMs[part])),
        ms(sumOf(cpuMs, countedParts.parley)),
        `(${ms(cpuMs['load'])})`,
        `(${ms(cpuMs['receiver'])})`,
      ]),
    ),
    '',
    `Saturation, ${outstanding} messages outstanding; medians of ${rounds} rounds of ${(seconds / 3).toFixed(1)} s`,
    ...table(['', 'deliveries/s', 'CPU ms: Temporal', 'Node', 'PostgreSQL', 'sum'], saturationRows(results.saturation)),
    `Parley at saturation: ${sum(results.saturation.parley, 'lost')} lost, ${sum(results.saturation.parley, 'doubled')} doubled, history events ${sayLengths(results.historyEvents)}`,
    '',
    'Memory at the end, MB (RSS / PSS)',
    ...Object.entries(results.memory).map(
      ([part, { rssMb, pssMb }]) => `  ${part.padEnd(9)} ${rssMb.toFixed(0).padStart(5)} / ${pssMb.toFixed(0)}`,
    ),
  ];
  return { lines, aims: sayAims(results) };
};

/** Whether every message came once. */
export const nothingLost = ({ rates, saturation }: Results): boolean =>
  [...rates, ...saturation.parley].every(({ lost, doubled }) => lost === 0 && doubled === 0);

const saturationRows = ({ parley, floor, graphile }: Results['saturation']): string[][] => [
  ['Parley', ...saturationCells(parley, { node: 'parley', counted: countedParts.parley })],
  ['Temporal with an empty activity', ...saturationCells(floor, { node: 'floor', counted: countedParts.floor })],
  ['Parley on graphile-worker', ...saturationCells(graphile, { node: 'graphile', counted: countedParts.graphile })],
  ['ratio to empty activity', ...ratios(parley, floor, countedParts.floor)],
  ['ratio to graphile-worker', ...ratios(parley, graphile, countedParts.graphile)],
];

const saturationCells = (
  rounds: Saturated[],
  { node, counted }: { node: string; counted: readonly string[] },
): string[] => [
  medianOf(rounds, ({ perSecond }) => perSecond).toFixed(0),
  ...['temporal', node, 'postgres'].map((part) =>
    counted.includes(part) ? ms(medianOf(rounds, ({ cpuMs }) => cpuMs[part] ?? 0)) : '',
  ),
  ms(cpuPerDelivery(rounds, counted)),
];

const ratios = (parley: Saturated[], other: Saturated[], counted: readonly string[]): string[] => {
  const speed = medianOf(parley, rate) / medianOf(other, rate);
  const cost = cpuPerDelivery(parley, countedParts.parley) / cpuPerDelivery(other, counted);
  return [`${speed.toFixed(2)}×`, '', '', '', `${cost.toFixed(2)}×`];
};

const rate = ({ perSecond }: Saturated): number => perSecond;

const cpuPerDelivery = (rounds: Saturated[], counted: readonly string[]): number =>
  medianOf(rounds, ({ cpuMs }) => sumOf(cpuMs, counted));

const medianOf = (rounds: Saturated[], value: (round: Saturated) => number): number => median(rounds.map(value));

const sum = (rounds: Saturated[], field: 'lost' | 'doubled'): number =>
  rounds.reduce((total, round) => total + (round[field] ?? 0), 0);

/** The aims of the service, judged at the rate that they are set for when it was measured. */
const sayAims = (results: Results): string[] => {
  const at40 = results.rates.find(({ perSecondOffered }) => perSecondOffered === 40);
  const { parley, floor } = results.saturation;
  const toFloor = cpuPerDelivery(parley, countedParts.parley) / cpuPerDelivery(floor, countedParts.floor);
  const longest = Math.max(...results.rates.flatMap(({ historyEvents }) => historyEvents));
  return [
    ...(at40
      ? [
          aim(at40.answerMs.p95 < 10, `answer p95 under 10 ms at 40/s: ${ms(at40.answerMs.p95)} ms`),
          aim(at40.receivedMs.p95 < 30, `event → received p95 under 30 ms at 40/s: ${ms(at40.receivedMs.p95)} ms`),
        ]
      : []),
    aim(toFloor <= 1.5, `CPU per delivery at most 1.5 × that of an empty activity: ${toFloor.toFixed(2)} ×`),
    aim(longest <= 6, `6 history events for a healthy delivery: ${longest}`),
    aim(nothingLost(results), 'nothing lost, nothing doubled'),
  ];
};

const sayQuantiles = ({ p50, p95, p99 }: Quantiles): string => [p50, p95, p99].map(ms).join(' / ');

const sayLengths = (lengths: readonly number[]): string => {
  const counts = Map.groupBy(lengths, (length) => length);
  const parts = [...counts].toSorted(([a], [b]) => a - b).map(([length, all]) => `${length} (${all.length}×)`);
  return parts.join(', ');
};
