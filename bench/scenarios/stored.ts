import type { Measured } from '../measure.ts';
import type { Options } from '../options.ts';
import { median, nowMs } from '../statistics.ts';
import { sumOf } from '../phases.ts';
import { api, partsOf, type Ground } from '../servers.ts';
import type { Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import { fillDeliveries } from './fill.ts';
import { isLossless, offerTo, onNewGround, type Outcome } from './scenario.ts';

/** As many as go straight from the outbox without a queue. Beside them a delivery that costs more stands out, as it does not beside a workflow. */
const perSecond = 100;
const weeks = 20;

/** Deliveries that both installations store first, so that the pages of the log are full in both. */
const fewStored = 10_000;

const pagesEach = 60;

/** Rounds of the two in turn, because the speed of a machine varies. Medians are reported. */
const turns = 3;

type Look = Measured & { sumMs: number; pageMs: Record<string, number> };

/**
 * Measures what a delivery costs and how long the pages of the log take, with many stored deliveries and with hardly any. There are two
 * installations; one is idle while the other is measured.
 */
export const stored = onNewGround((few, options, say) =>
  onNewGround((many) => compare({ few, many }, options, say))(options, say),
);

const compare = async (
  grounds: { few: Ground; many: Ground },
  { seconds, stored: count }: Options,
  say: (line: string) => void,
): Promise<Outcome> => {
  const fill = async (ground: Ground, stored: number) => {
    const { database } = ground.postgres;
    const parley = await ground.startProcess('parley', {
      file: api,
      database,
      env: { WORKFLOW_PER_DELIVERY: 'on-failure' },
    });
    const target = await ground.addTarget(parley);
    const { warmUp, measured } = offerTo(ground, { target, parts: partsOf(ground, { parley }) });
    say(`stored: writing ${stored} deliveries …`);
    await fillDeliveries({ database, target, count: stored, weeks });
    await warmUp(seconds);
    return async (): Promise<Look> => {
      const figures = await measured({ perSecond, seconds: seconds * 2 });
      const sumMs = sumOf(figures.cpuMs, ['parley', 'postgres']);
      return { ...figures, sumMs, pageMs: await timePages(target) };
    };
  };

  const lookAt = { few: await fill(grounds.few, fewStored), many: await fill(grounds.many, count) };
  const looks: Record<'few' | 'many', Look[]> = { few: [], many: [] };
  for (let turn = 1; turn <= turns; turn += 1) {
    say(`stored: with ${fewStored} and with ${count}, ${turn} of ${turns} …`);
    looks.few.push(await lookAt.few());
    looks.many.push(await lookAt.many());
  }
  const over = (name: 'few' | 'many', figure: (look: Look) => number): number => median(looks[name].map(figure));
  const ratio = (figure: (look: Look) => number): number => over('many', figure) / over('few', figure);

  const cost = ratio(({ sumMs }) => sumMs);
  const names = Object.keys(looks.few[0]?.pageMs ?? {});
  const pages = names.map((page) => ({ page, ratio: ratio(({ pageMs }) => pageMs[page] ?? 0) }));
  const slowest = pages.reduce((worst, page) => (page.ratio > worst.ratio ? page : worst));
  return {
    title: `${count} stored deliveries in ${weeks} weeks, beside ${fewStored}; at ${perSecond}/s; medians of ${turns} turns`,
    lines: table(
      ['', 'CPU ms per delivery', 'event → received p95', ...names],
      (['few', 'many'] as const).map((name) => [
        `${name === 'few' ? fewStored : count} stored`,
        ms(over(name, ({ sumMs }) => sumMs)),
        ms(over(name, ({ receivedMs }) => receivedMs.p95)),
        ...names.map((page) => over(name, ({ pageMs }) => pageMs[page] ?? 0).toFixed(2)),
      ]),
    ),
    aims: [
      aim(cost <= 1.1, `CPU per delivery within 10 %: ${cost.toFixed(2)} ×`),
      aim(slowest.ratio <= 1.1, `pages of the log within 10 %: ${slowest.ratio.toFixed(2)} × (${slowest.page})`),
    ],
    lossless: isLossless(...looks.few, ...looks.many),
    figures: { looks, cost, pages },
  };
};

/** The median time of pages that people open, in ms: the log, failed deliveries, and those of one webhook, requested one after the other. */
const timePages = async (target: Target): Promise<Record<string, number>> => {
  const pages = {
    'newest page': '',
    'failed page': '&status=failed',
    "webhook's page": `&webhook_id=${target.webhookIds[0]}`,
  };
  const times: Record<string, number> = {};
  for (const [page, query] of Object.entries(pages)) {
    const tookMs: number[] = [];
    while (tookMs.length < pagesEach) {
      const startMs = nowMs();
      await target.call({ method: 'GET', path: `/v1/deliveries?limit=50${query}`, status: 200 });
      tookMs.push(nowMs() - startMs);
    }
    times[page] = median(tookMs);
  }
  return times;
};
