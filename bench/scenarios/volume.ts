import { median } from '../statistics.ts';
import { inAllRounds, sayVolume, type Rate, type VolumeFigures } from '../volume/lines.ts';
import { kinds, openStage, type Figures, type Kind, type Mode } from '../volume/stage.ts';
import { isLossless, onNewGround } from './scenario.ts';

/** Offered messages per second. A kind that carries fewer than so many is not asked for them: it would fall behind for minutes. */
const rates = [20, 50, 200, 500];
const carriesAtMost: Partial<Record<Kind, number>> = { always: 50, graphile: 200 };

/** What the default is held to: a rate that workflows just carry, and a burst that they do not. Messages per second. */
const held = 50;
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
      if (perSecond > (carriesAtMost[kind] ?? Infinity)) continue;
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

  const long = 4 * seconds;
  say(`volume: unless-behind, ${held} and ${burst} messages/s for ${long} s each …`);
  const heldFigures = await stage.offer('unless-behind', { perSecond: held, seconds: long });
  const burstFigures = await stage.offer('unless-behind', { perSecond: burst, seconds: long });

  const carried = median(inAllRounds(saturated, 'always').map(({ perSecond }) => perSecond));
  const overload: Rate[] = [];
  for (const offered of [carried, 2 * carried]) {
    say(`volume: always, ${offered.toFixed(0)} messages/s for ${2 * seconds} s …`);
    overload.push({ offered, ...(await stage.offer('always', { perSecond: offered, seconds: 2 * seconds })) });
  }

  const beside = new Map<Mode, Record<'quiet' | 'hanging', Figures>>();
  for (const mode of ['unless-behind', 'on-failure'] as const) {
    say(`volume: ${mode}, one receiver in ten hangs …`);
    const load = { perSecond: besideHanging, seconds: 2 * seconds };
    const quiet = await stage.offerBeside(mode, '/quiet', load);
    beside.set(mode, { quiet, hanging: await stage.offerBeside(mode, '/hanging', load) });
  }

  const figures = { atRates, saturated, floors, held: heldFigures, burst: burstFigures, overload, beside };
  const all = [
    ...[...atRates.values(), ...saturated.values(), overload].flat(),
    ...[...beside.values()].flatMap((two) => Object.values(two)),
    heldFigures,
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
