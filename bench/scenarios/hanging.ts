import { api, partsOf } from '../servers.ts';
import { inTurn, type Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import { isLossless, offerTo, onNewGround } from './scenario.ts';

const healthyAccounts = 9;

/** Messages a second to the healthy nine; the tenth account gets a ninth as many. */
const perSecond = 36;

/** One account in ten has a receiver that keeps each request for ten seconds: what the other nine feel of it. */
export const hanging = onNewGround(async (ground, { seconds }, say) => {
  const parley = await ground.startProcess('parley', { file: api, database: ground.postgres.database });
  const healthy: Target[] = [];
  while (healthy.length < healthyAccounts) healthy.push(await ground.addTarget(parley));
  const quick = await ground.addTarget(parley, { paths: ['/quiet'] });
  const slow = await ground.addTarget(parley, { paths: ['/hanging'] });
  const parts = partsOf(ground, { parley });
  const beside = (tenth: Target) => offerTo(ground, { target: withTenth(inTurn(healthy), tenth), parts });

  // Long enough for the retries of what hung first, which come after 10 s and 30 s more.
  const load = { perSecond, seconds: seconds * 4 };
  await beside(quick).warmUp(seconds);
  say(`hanging: ten accounts, all well, ${load.seconds} s …`);
  const without = await beside(quick).measured(load);
  say(`hanging: ten accounts, one hangs, ${load.seconds} s …`);
  const withOne = await beside(slow).measured(load);
  const ratio = withOne.receivedMs.p95 / without.receivedMs.p95;
  return {
    title: `One receiver in ten hangs for ten seconds; the other nine at ${perSecond}/s`,
    lines: table(
      ['', 'event → received p50', 'p95', 'p99', 'lost', 'doubled'],
      Object.entries({ 'all well': without, 'one hangs': withOne }).map(([name, { receivedMs, lost, doubled }]) => [
        name,
        ...[receivedMs.p50, receivedMs.p95, receivedMs.p99].map(ms),
        String(lost),
        String(doubled),
      ]),
    ),
    aims: [aim(ratio <= 2, `p95 of the healthy at most doubled: ${ratio.toFixed(2)} ×`)],
    lossless: isLossless(without, withOne),
    figures: { without, withOne, ratio },
  };
});

/** Every ninth message goes to the tenth account as well, and is not waited for. */
const withTenth = (nine: Pick<Target, 'hand'>, tenth: Target): Pick<Target, 'hand'> => {
  let handed = 0;
  return {
    hand: async (marker) => {
      handed += 1;
      const more = handed % healthyAccounts === 0 ? [tenth.hand(`tenth ${marker}`)] : [];
      await Promise.all([nine.hand(marker), ...more]);
    },
  };
};
