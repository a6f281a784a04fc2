import { workflowPerDelivery } from '../../src/shared/platform/config.ts';
import { sayVolume, type Rate, type VolumeFigures } from '../volume/lines.ts';
import { kinds, openStage, type Figures, type Kind, type Mode } from '../volume/stage.ts';
import { isLossless, onNewGround } from './scenario.ts';

/** Offered messages per second. */
const rates = [20, 50, 200, 500];

/** Rates at which the share of deliveries with a workflow is counted, and a burst. Messages per second. */
const counted = [20, 50, 100, 200];
const burst = 300;

/** Messages per second to the healthy nine in ten. */
const besideHanging = 90;

/** Parley in each mode beside its yardsticks, each in a process and a database of its own, in turn. */
export const volume = onNewGround(async (ground, { seconds, rounds, outstanding }, say) => {
  const stage = await openStage(ground);

  say('volume: warming up …');
  for (const kind of kinds) await stage.offer(kind, { perSecond: 40, seconds: Math.min(5, seconds) });
  await stage.saturateFloor(1);

  const atRates = new Map<Kind, Rate[]>(kinds.map((kind) => [kind, []]));
  for (const perSecond of rates) {
    for (const kind of kinds) {
      say(`volume: ${kind}, ${perSecond} messages/s for ${seconds} s …`);
      const figures = await stage.offer(kind, { perSecond, seconds });
      atRates.get(kind)?.push({ offered: perSecond, ...figures });
    }
  }

  const saturated = new Map<Kind, Figures[]>(kinds.map((kind) => [kind, []]));
  const floors: VolumeFigures['floors'] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`volume: saturation, round ${round} of ${rounds} …`);
    for (const kind of kinds) {
      saturated.get(kind)?.push(await stage.saturate(kind, { outstanding, seconds: seconds / 3 }));
    }
    floors.push(await stage.saturateFloor(seconds / 3));
  }

  const withWorkflow: VolumeFigures['withWorkflow'] = [];
  for (const offered of counted) {
    say(`volume: every, ${offered} messages/s for ${seconds} s, workflows counted …`);
    withWorkflow.push({ offered, ...(await stage.offerAndCount('every', { perSecond: offered, seconds })) });
  }
  const long = 4 * seconds;
  say(`volume: every, ${burst} messages/s for ${long} s …`);
  const burstFigures = await stage.offer('every', { perSecond: burst, seconds: long });

  const beside = new Map<Mode, Record<'quiet' | 'hanging', Figures>>();
  for (const mode of workflowPerDelivery) {
    say(`volume: ${mode}, one receiver in ten hangs …`);
    const load = { perSecond: besideHanging, seconds: 2 * seconds };
    const quiet = await stage.offerBeside(mode, '/quiet', load);
    beside.set(mode, { quiet, hanging: await stage.offerBeside(mode, '/hanging', load) });
  }

  const figures = { atRates, saturated, floors, withWorkflow, burst: burstFigures, beside };
  const all = [
    ...[...atRates.values(), ...saturated.values(), withWorkflow].flat(),
    ...[...beside.values()].flatMap((two) => Object.values(two)),
    burstFigures,
  ];
  return {
    ...sayVolume(figures, { rates, rounds, outstanding }),
    lossless: isLossless(...all),
    figures: {
      ...figures,
      ...Object.fromEntries(
        Object.entries({ atRates, saturated, beside }).map(([name, map]) => [name, Object.fromEntries(map)]),
      ),
    },
  };
});
