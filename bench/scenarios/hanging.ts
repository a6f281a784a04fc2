import type { Measured } from '../measure.ts';
import { median } from '../statistics.ts';
import { api, partsOf } from '../servers.ts';
import { inTurn, withTenth, type Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import { isLossless, offerTo, onNewGround } from './scenario.ts';

const healthyAccounts = 9;

/** Messages a second to the healthy nine; the tenth account gets a ninth as many. */
const perSecond = 36;

/** Rounds, in turn with as many without, because the speed of a machine varies. Medians are reported. */
const turns = 2;

/** One account in ten has a receiver that keeps each request for ten seconds. Measures what the other nine notice. */
export const hanging = onNewGround(async (ground, { seconds }, say) => {
  const parley = await ground.startProcess('parley', { file: api, database: ground.postgres.database });
  const healthy: Target[] = [];
  while (healthy.length < healthyAccounts) healthy.push(await ground.addTarget(parley));
  const parts = partsOf(ground, { parley });
  const besideOneAt = async (path: string, work: (offer: ReturnType<typeof offerTo>) => Promise<void>) => {
    const tenth = await ground.addTarget(parley, { paths: [path] });
    await work(offerTo(ground, { target: withTenth(inTurn(healthy), tenth), parts }));
    // Deleting it ends its retries, so that the next round has none.
    await tenth.call({ method: 'DELETE', path: `/v1/webhooks/${tenth.webhookIds[0]}`, status: 204 });
  };

  // Long enough for the first retries, which come 40 s after the first attempts: 10 s time-out and 30 s delay.
  const load = { perSecond, seconds: seconds * 4 };
  await besideOneAt('/quiet', ({ warmUp }) => warmUp(seconds));
  const without: Measured[] = [];
  const withOne: Measured[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    say(`hanging: ten accounts, all well, ${load.seconds} s, ${turn} of ${turns} …`);
    await besideOneAt('/quiet', async ({ measured }) => void without.push(await measured(load)));
    say(`hanging: ten accounts, one hangs, ${load.seconds} s, ${turn} of ${turns} …`);
    await besideOneAt('/hanging', async ({ measured }) => void withOne.push(await measured(load)));
  }
  const over = (all: Measured[], figure: (one: Measured) => number): number => median(all.map(figure));
  const sum = (all: Measured[], figure: 'lost' | 'doubled'): number =>
    all.reduce((total, one) => total + one[figure], 0);
  const ratio = over(withOne, ({ receivedMs }) => receivedMs.p95) / over(without, ({ receivedMs }) => receivedMs.p95);
  return {
    title: `One receiver in ten hangs for ten seconds; the other nine at ${perSecond}/s; medians of ${turns} turns`,
    lines: table(
      ['', 'event → received p50', 'p95', 'p99', 'lost', 'doubled'],
      Object.entries({ 'all well': without, 'one hangs': withOne }).map(([name, all]) => [
        name,
        ...(['p50', 'p95', 'p99'] as const).map((quantile) => ms(over(all, ({ receivedMs }) => receivedMs[quantile]))),
        String(sum(all, 'lost')),
        String(sum(all, 'doubled')),
      ]),
    ),
    aims: [aim(ratio <= 2, `p95 of the healthy at most doubled: ${ratio.toFixed(2)} ×`)],
    lossless: isLossless(...without, ...withOne),
    figures: { without, withOne, ratio },
  };
});
