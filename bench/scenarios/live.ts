import { measureLive, type InboundWay } from '../live/measure-live.ts';
import { updatesPerSecond } from '../live/bot-webhooks.ts';
import { openLiveStage } from '../live/stage.ts';
import { median, type Quantiles } from '../statistics.ts';
import { aim, ms, table } from '../text.ts';
import { isLossless, onNewGround } from './scenario.ts';

/** Measures what is live: open streams of visitors, messages over them both ways, and what reaches agents' pages. */
export const live = onNewGround(async (ground, options, say) => {
  say(`live: ${options.visitors} visitors write to webchats …`);
  const stage = await openLiveStage(ground, options);
  const figures = await measureLive(stage, options, say);
  const { rest, fanOut, talks, screens, updates, inbound } = figures;
  const over = (way: InboundWay, figure: (one: (typeof inbound)['API'][number]) => number): number =>
    median(inbound[way].map(figure));
  const cost = (way: InboundWay): number => over(way, ({ cpuMs }) => cpuMs);
  const streams = stage.visitors.length;
  const mbPerThousand = ((rest.open.rssMb - rest.before.rssMb) * 1_000) / streams;
  const idlePercent = (rest.open.cpuMsPerSecond - rest.before.cpuMsPerSecond) / 10;
  const quiet = ({ rssMb, cpuMsPerSecond, parleyMsPerSecond }: typeof rest.open): string[] =>
    [rssMb, cpuMsPerSecond, parleyMsPerSecond].map((value) => value.toFixed(0));
  const served = (title: string, { p50, p95, p99 }: Quantiles, more: string[] = []): string[] => [
    title,
    ...[p50, p95, p99].map(ms),
    ...more,
  ];
  const counts = ({ lost, doubled }: typeof screens): string[] => [String(lost), String(doubled)];
  const cpu = ({ cpuMs }: typeof screens): string =>
    ms(['temporal', 'parley', 'postgres'].reduce((sum, part) => sum + (cpuMs[part] ?? 0), 0));
  return {
    title: `Live: ${streams} open streams of visitors, what comes over them, and what agents see`,
    lines: [
      ...table(
        ['at rest', 'service RSS MB', 'CPU ms/s', 'of the service'],
        [
          ['no streams', ...quiet(rest.before)],
          [`${streams} streams`, ...quiet(rest.open)],
        ],
      ),
      '',
      ...table(
        ['', 'p50 ms', 'p95', 'p99', 'lost', 'doubled', 'CPU ms each'],
        [
          served('200/s by API → stream', fanOut.receivedMs, [...counts(fanOut), cpu(fanOut)]),
          served('  its answer 201', fanOut.answerMs),
          served('  from the answer → stream', fanOut.afterAnswerMs),
          served('20/s of visitors → agent', screens.receivedMs, [...counts(screens), cpu(screens)]),
          served('agent → visitor', talks.out),
          served('visitor → agent', talks.back),
          served('  there and back', talks.both),
          served(`${updatesPerSecond}/s of Telegram → answer of the webhook`, updates.texts),
          served('  the same of parts of albums', updates.parts),
        ],
      ),
      '',
      ...table(
        ['an inbound message, at saturation', 'messages/s', 'answer p50 ms', 'p95', 'CPU ms'],
        (['API', 'webchat'] as const).map((way) => [
          `over ${way}`,
          over(way, ({ perSecond }) => perSecond).toFixed(0),
          ms(over(way, ({ answerMs }) => answerMs.p50)),
          ms(over(way, ({ answerMs }) => answerMs.p95)),
          ms(cost(way)),
        ]),
      ),
    ],
    aims: [
      aim(mbPerThousand <= 30, `1,000 streams take at most 30 MB more: ${mbPerThousand.toFixed(0)} MB`),
      aim(idlePercent <= 3, `they take at most 3 % of a core at rest: ${idlePercent.toFixed(1)} %`),
      aim(
        fanOut.afterAnswerMs.p95 <= 50,
        `200/s reach their streams p95 in 50 ms of their answer: ${ms(fanOut.afterAnswerMs.p95)} ms`,
      ),
      aim(
        screens.receivedMs.p95 <= 150,
        `a message is on an agent's page p95 in 150 ms: ${ms(screens.receivedMs.p95)} ms`,
      ),
      aim(
        Math.max(updates.texts.p95, updates.parts.p95) < 50,
        `webhooks of Telegram answer p95 in 50 ms: ${ms(updates.texts.p95)} ms, and ${ms(updates.parts.p95)} ms where files wait`,
      ),
    ],
    lossless: isLossless(fanOut, screens),
    figures: { ...figures, streams, mbPerThousand, idlePercent, webchatToApi: cost('webchat') / cost('API') },
  };
});
