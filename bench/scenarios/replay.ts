import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { connectDatabase } from '../../src/shared/platform/db/connect.ts';
import { partsOf, type Process, whole } from '../servers.ts';
import { nowMs } from '../statistics.ts';
import type { Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import { fillDeliveries } from './fill.ts';
import { isLossless, offerTo, onNewGround } from './scenario.ts';

/** Live messages a second, of another account. */
const perSecond = 10;

const withId = z.object({ id: z.string() });
const progress = z.object({ status: z.string() });

/** Measures how fast a bulk replay of many deliveries is, and how it slows another account's live deliveries. */
export const replay = onNewGround(async (ground, { seconds, replay: count, pace }, say) => {
  const parley = await ground.startProcess('parley', { file: whole, database: ground.postgres.database });
  const replayed = await ground.addTarget(parley, { paths: ['/quiet'] });
  const live = await ground.addTarget(parley);
  const { warmUp, measured } = offerTo(ground, { target: live, parts: partsOf(ground, { parley }) });
  await fillDeliveries({ database: parley.database, target: replayed, count, weeks: 2 });

  await warmUp(seconds);
  const load = { perSecond, seconds: seconds * 4 };
  say(`replay: live deliveries alone, ${load.seconds} s …`);
  const alone = await measured(load);
  say(`replay: ${count} deliveries at ${pace}/s, live ones beside them …`);
  const body = { webhook_id: replayed.webhookIds[0], status: ['delivered', 'failed'], pace };
  const startMs = nowMs();
  const { id } = withId.parse(await replayed.call({ method: 'POST', path: '/v1/replays', status: 202, body }));
  const ending = waitUntilOver(replayed, { id, parley });
  ending.catch(() => {});
  const beside = await measured(load);
  await ending;
  const perSecondReplayed = count / ((nowMs() - startMs) / 1000);
  const ratio = beside.receivedMs.p95 / alone.receivedMs.p95;
  return {
    title: `A bulk replay of ${count} deliveries, asked for at ${pace}/s; live ones of another account at ${perSecond}/s`,
    lines: [
      ...table(
        ['', 'event → received p50', 'p95', 'p99'],
        Object.entries({ alone, 'beside the replay': beside }).map(([name, { receivedMs }]) => [
          name,
          ...[receivedMs.p50, receivedMs.p95, receivedMs.p99].map(ms),
        ]),
      ),
      `  replayed ${perSecondReplayed.toFixed(1)}/s until the last was finished`,
    ],
    aims: [
      aim(perSecondReplayed >= pace * 0.9, `the pace is kept within 10 %: ${perSecondReplayed.toFixed(1)}/s`),
      aim(ratio <= 1.5, `p95 of the live ones at most 1.5 times: ${ratio.toFixed(2)} ×`),
    ],
    lossless: isLossless(alone, beside),
    figures: { alone, beside, perSecondReplayed, ratio },
  };
});

/** Resolves when the replay has begun all of its deliveries and all of them are finished. */
const waitUntilOver = async (target: Target, { id, parley }: { id: string; parley: Process }): Promise<void> => {
  const sql = connectDatabase(parley.database, { max: 1 });
  try {
    for (;;) {
      const { status } = progress.parse(await target.call({ method: 'GET', path: `/v1/replays/${id}`, status: 200 }));
      const [unfinished] = await sql`
        select 1 from deliveries where account_id = ${target.accountId} and sweep_at is not null limit 1`;
      if (status !== 'running' && !unfinished) {
        if (status !== 'finished') throw new Error(`the replay has ended as ${status}`);
        return;
      }
      await sleep(200);
    }
  } finally {
    await sql.end();
  }
};
