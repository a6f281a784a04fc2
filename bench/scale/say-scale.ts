import { isLossless, type Outcome } from '../scenarios/scenario.ts';
import type { Memory } from '../processes.ts';
import { median, type Quantiles } from '../statistics.ts';
import { aim, ms, table } from '../text.ts';
import type { LockWaits } from './lock-waits.ts';
import type { Cost, Counts, Neighbour } from './phases.ts';

/** The rounds of a load on one process and on several. */
export type CostOf = { name: string; one: Cost[]; several: Cost[] };

type Idle = { cpuMsPerSecond: number; memory: Record<string, Memory> };

export type ScaleFigures = {
  idle: Record<'one' | 'several', Idle>;
  costs: CostOf[];
  /** While the deliveries of `costs` were made. */
  locks: Record<'one' | 'several', LockWaits>;
  neighbours: Record<string, Neighbour>;
  counts: Record<string, Counts>;
  /** Runs that did not complete, or that asked under two keys. */
  wrongRuns: number;
};

/** The measurements as lines for people. */
export const sayScale = (figures: ScaleFigures): Outcome => {
  const { idle, costs, locks, neighbours, counts, wrongRuns } = figures;
  const over = (rounds: readonly Cost[], figure: (cost: Cost) => number): number => median(rounds.map(figure));
  const cpuOf = (rounds: readonly Cost[]): number => over(rounds, ({ cpuMs }) => cpuMs);
  const ratios = costs.map(({ name, one, several }) => ({ name, ratio: cpuOf(several) / cpuOf(one) }));
  const ratioOf = (at: string): number => ratios.find(({ name }) => name === at)?.ratio ?? Number.NaN;
  const all = Object.values(counts);
  const beside = neighbours['several'];
  const allLocks = {
    'deliveries, one process': locks.one,
    'deliveries, four': locks.several,
    ...locksOf(neighbours, counts),
  };
  const logged = Object.values(allLocks).reduce((sum, seen) => sum + seen.logged, 0);
  const lossless =
    wrongRuns === 0 &&
    isLossless(
      ...all,
      ...costs.flatMap(({ one, several }) => [...one, ...several]),
      ...Object.values(neighbours).map((one) => one.beside),
    );
  return {
    title: 'Two API and two worker processes on one PostgreSQL and one Temporal, beside a single process; medians',
    lines: [
      ...table(
        ['', 'one: /s', 'CPU ms', 'p50 / p95 / p99', 'four: /s', 'CPU ms', 'p50 / p95 / p99', 'CPU'],
        costs.map(({ name, one, several }) => [
          name,
          ...[one, several].flatMap((rounds) => [
            over(rounds, ({ perSecond }) => perSecond).toFixed(0),
            cpuOf(rounds).toFixed(2),
            sayQuantiles(quantilesOf(rounds)),
          ]),
          `${ratioOf(name).toFixed(2)}×`,
        ]),
      ),
      `  at rest ${idle.one.cpuMsPerSecond.toFixed(0)} and ${idle.several.cpuMsPerSecond.toFixed(0)} CPU ms a second; PSS in MB: ${sayMemory(idle.several)}; one process: ${sayMemory(idle.one)}`,
      '',
      ...table(
        ['an account floods', "another's alone, p50 / p95 / p99", 'beside it', 'flood, messages/s'],
        Object.entries(neighbours).map(([size, { alone, beside: with_, floodPerSecond }]) => [
          size === 'one' ? 'one process' : 'both APIs of four',
          sayQuantiles(alone.tookMs),
          sayQuantiles(with_.tookMs),
          floodPerSecond.toFixed(0),
        ]),
      ),
      '',
      ...table(
        ['four processes, but for the first', 'accepted', 'lost', 'doubled', 'sent again', 'p50 / p95 / p99'],
        Object.entries(counts).map(([name, { accepted, lost, doubled, sentAgain, tookMs }]) => [
          name,
          ...[accepted, lost, doubled, sentAgain].map(String),
          sayQuantiles(tookMs),
        ]),
      ),
      '',
      ...table(
        ['locks', 'samples', 'waiting', 'most at once', 'over 200 ms', 'connections', 'for'],
        Object.entries(allLocks).map(([name, seen]) => [
          name,
          ...[seen.samples, seen.waiting, seen.mostAtOnce, seen.logged, seen.mostConnections].map(String),
          Object.entries(seen.byEvent)
            .map(([event, count]) => `${event} ${count}`)
            .join(', '),
        ]),
      ),
    ],
    aims: [
      ...ratios.map(({ name, ratio }) =>
        aim(ratio <= 1.15, `CPU per delivery at most 1.15 × of one process, ${name}: ${ratio.toFixed(2)} ×`),
      ),
      aim(lossless, `nothing lost, nothing doubled; ${wrongRuns} runs went wrong`),
      aim(
        (beside?.beside.tookMs.p95 ?? 0) <= 1_000,
        `an account beside a flood through both APIs waits at most a second (p95): ${ms(beside?.beside.tookMs.p95)} ms`,
      ),
      aim(logged === 0, `no lock held up anybody for 200 ms: ${logged} times`),
    ],
    lossless,
    figures,
  };
};

const locksOf = (
  neighbours: ScaleFigures['neighbours'],
  counts: ScaleFigures['counts'],
): Record<string, LockWaits> => ({
  ...Object.fromEntries(
    Object.entries(neighbours).map(([size, one]) => [
      `flood, ${size === 'one' ? 'one process' : 'four'}`,
      one.beside.locks,
    ]),
  ),
  ...Object.fromEntries(Object.entries(counts).map(([name, one]) => [name, one.locks])),
});

const quantilesOf = (rounds: readonly Cost[]): Quantiles => ({
  p50: median(rounds.map(({ receivedMs }) => receivedMs.p50)),
  p95: median(rounds.map(({ receivedMs }) => receivedMs.p95)),
  p99: median(rounds.map(({ receivedMs }) => receivedMs.p99)),
});

const sayMemory = ({ memory }: Idle): string =>
  Object.entries(memory)
    .filter(([part]) => part !== 'load' && part !== 'receiver')
    .map(([part, { pssMb }]) => `${part} ${pssMb.toFixed(0)}`)
    .join(', ');

const sayQuantiles = ({ p50, p95, p99 }: Quantiles): string => [p50, p95, p99].map(ms).join(' / ');
