import { median, type Quantiles } from '../statistics.ts';
import { aim, ms, sayEvents, table } from '../text.ts';
import { talkKinds, type TalkKind, type TalksMeasured } from './conversations.ts';

/** What conversations took, and cost at saturation beside the floor, as lines for people. */
export const sayTalks = ({
  rates,
  saturation,
  floor,
  quietMs,
}: TalksMeasured): { lines: string[]; aims: string[]; isLossless: boolean } => {
  const over = (kind: TalkKind, figure: 'perSecond' | 'cpuMs'): number =>
    median(saturation[kind].map((round) => round[figure]));
  const all = [
    ...rates.flatMap((rate) => talkKinds.map((kind) => rate[kind])),
    ...talkKinds.flatMap((kind) => saturation[kind]),
  ];
  const p95 = (kind: TalkKind, perSecond: number) =>
    rates.find(({ perSecondOffered }) => perSecondOffered === perSecond)?.[kind].receivedMs.p95;
  const within = (kind: TalkKind, perSecond: number, mostMs: number): string[] => {
    const found = p95(kind, perSecond);
    const text = `${kind} at ${perSecond}/s: message → answer p95 at most ${mostMs} ms`;
    return found === undefined ? [] : [aim(found <= mostMs, `${text}: ${ms(found)} ms`)];
  };
  const middle = rates[Math.floor(rates.length / 2)];
  const toQuiet = Math.max(...talkKinds.map((kind) => (middle?.[kind].answerMs.p95 ?? 0) / quietMs.p95));
  const [runsPerSecond, cpuMs] = [over('asks a service', 'perSecond'), over('asks a service', 'cpuMs')];
  return {
    lines: [
      ...table(
        [
          'message → answer, ms (p50 / p95 / p99)',
          'offered',
          "the flow's answer",
          'answer 202',
          'CPU ms',
          'lost',
          'doubled',
        ],
        talkKinds.flatMap((kind) =>
          rates.map(({ perSecondOffered, [kind]: talk }) => [
            kind,
            `${perSecondOffered}/s`,
            sayQuantiles(talk.receivedMs),
            sayQuantiles(talk.answerMs),
            ms(talk.cpuMs),
            String(talk.lost),
            String(talk.doubled),
          ]),
        ),
      ),
      `  a message that starts nothing, at the middle rate: answer 202 ${sayQuantiles(quietMs)}`,
      '',
      ...table(
        ['at saturation', 'runs/s', 'of the floor', 'CPU ms per run', 'of the floor', 'events'],
        talkKinds.map((kind) => [
          kind,
          over(kind, 'perSecond').toFixed(1),
          `${(over(kind, 'perSecond') / floor[kind].perSecond).toFixed(2)}×`,
          ms(over(kind, 'cpuMs')),
          `${(over(kind, 'cpuMs') / floor[kind].cpuMs).toFixed(2)}×`,
          sayEvents(median(saturation[kind].flatMap(({ historyEvents }) => historyEvents))),
        ]),
      ),
    ],
    aims: [
      ...within('asks a service', 5, 60),
      ...within('asks a service', 20, 100),
      ...within('only talks', 20, 20),
      aim(toQuiet <= 1.5, `202 p95 at most 1.5 × that of a message that starts nothing: ${toQuiet.toFixed(2)} ×`),
      aim(runsPerSecond >= 48, `48 conversations with a request a second: ${runsPerSecond.toFixed(1)}`),
      aim(cpuMs <= 45, `at most 45 CPU ms for each: ${ms(cpuMs)}`),
    ],
    isLossless: all.every(({ lost, doubled }) => lost === 0 && doubled === 0),
  };
};

const sayQuantiles = ({ p50, p95, p99 }: Quantiles): string => [p50, p95, p99].map(ms).join(' / ');
