import { median, nowMs } from '../statistics.ts';
import { sumOf } from '../phases.ts';
import { api, partsOf } from '../servers.ts';
import type { Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import { fillDeliveries } from './fill.ts';
import { isLossless, offerTo, onNewGround } from './scenario.ts';

const perSecond = 40;
const weeks = 20;

/** Stored first, so that the log's pages are full in both cases. */
const fewStored = 10_000;

const pagesEach = 60;

/** What a delivery costs and how long the log's pages take when many deliveries are stored, and when hardly any are. */
export const stored = onNewGround(async (ground, { seconds, stored: count }, say) => {
  const { database } = ground.postgres;
  const parley = await ground.startProcess('parley', { file: api, database });
  const target = await ground.addTarget(parley);
  const parts = partsOf(ground, { parley });
  const { warmUp, measured } = offerTo(ground, { target, parts });
  const look = async () => {
    const figures = await measured({ perSecond, seconds: seconds * 2 });
    return {
      ...figures,
      sumMs: sumOf(figures.cpuMs, ['temporal', 'parley', 'postgres']),
      pageMs: await timePages(target),
    };
  };

  await fillDeliveries({ database, target, count: fewStored, weeks });
  await warmUp(seconds);
  say(`stored: with ${fewStored} stored deliveries …`);
  const few = await look();
  say(`stored: writing ${count} deliveries …`);
  const startMs = nowMs();
  await fillDeliveries({ database, target, count, weeks });
  say(`stored: written in ${((nowMs() - startMs) / 1000).toFixed(0)} s; with them …`);
  await warmUp(seconds);
  const many = await look();

  const cost = many.sumMs / few.sumMs;
  const pages = Object.entries(many.pageMs).map(([page, tookMs]) => ({
    page,
    ratio: tookMs / (few.pageMs[page] ?? 0),
  }));
  const slowest = pages.reduce((worst, page) => (page.ratio > worst.ratio ? page : worst));
  return {
    title: `${count} stored deliveries in ${weeks} weeks, beside ${fewStored}; at ${perSecond}/s`,
    lines: table(
      ['', 'CPU ms per delivery', 'event → received p95', ...Object.keys(many.pageMs)],
      Object.entries({ [`${fewStored} stored`]: few, [`${count} stored`]: many }).map(([name, look]) => [
        name,
        ms(look.sumMs),
        ms(look.receivedMs.p95),
        ...Object.values(look.pageMs).map((tookMs) => tookMs.toFixed(2)),
      ]),
    ),
    aims: [
      aim(cost <= 1.1, `CPU per delivery within 10 %: ${cost.toFixed(2)} ×`),
      aim(slowest.ratio <= 1.1, `pages of the log within 10 %: ${slowest.ratio.toFixed(2)} × (${slowest.page})`),
    ],
    lossless: isLossless(few, many),
    figures: { few, many, cost, pages },
  };
});

/** Median time in ms of pages that people open: the log, what failed, and one webhook's, each asked for one after the other. */
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
