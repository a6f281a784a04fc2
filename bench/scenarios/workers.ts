import { runClosedLoop } from '../load.ts';
import { measure, type Measured } from '../measure.ts';
import { sumOf } from '../phases.ts';
import { api, partsOf, type Process } from '../servers.ts';
import { median } from '../statistics.ts';
import { inTurn, type Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import { isLossless, onNewGround } from './scenario.ts';

/** Measures several processes on one Temporal and one database at saturation, beside a single process. */
export const workers = onNewGround(async (ground, { seconds, rounds, outstanding, workers: count }, say) => {
  const { database } = ground.postgres;
  const processes: Record<string, Process> = {};
  const targets: Target[] = [];
  for (let number = 1; number <= count; number += 1) {
    const started = await ground.startProcess(`parley ${number}`, { file: api, database });
    processes[`parley ${number}`] = started;
    targets.push(await ground.addTarget(started));
  }
  const parts = partsOf(ground, processes);
  const counted = ['temporal', 'postgres', ...Object.keys(processes)];
  const saturate = async (some: readonly Target[], forSeconds: number): Promise<Measured> => {
    const load = { outstanding, seconds: forSeconds };
    const run = () => runClosedLoop({ target: inTurn(some), receiver: ground.receiver }, load);
    const { ids: _, ...figures } = await measure(parts, run);
    return figures;
  };

  await saturate(targets, Math.min(5, seconds));
  const one: Measured[] = [];
  const all: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`workers: one process and ${count}, round ${round} of ${rounds} …`);
    one.push(await saturate(targets.slice(0, 1), seconds));
    all.push(await saturate(targets, seconds));
  }
  const speedOf = (measured: Measured[]): number => median(measured.map(({ perSecond }) => perSecond));
  const costOf = (measured: Measured[]): number => median(measured.map(({ cpuMs }) => sumOf(cpuMs, counted)));
  const ratio = speedOf(all) / speedOf(one);
  return {
    title: `${count} processes against one Temporal at saturation, ${outstanding} messages outstanding; medians of ${rounds} rounds`,
    lines: table(
      ['', 'deliveries/s', 'CPU ms per delivery'],
      [
        ['one process', speedOf(one).toFixed(0), ms(costOf(one))],
        [`${count} processes`, speedOf(all).toFixed(0), ms(costOf(all))],
        ['ratio', `${ratio.toFixed(2)}×`, `${(costOf(all) / costOf(one)).toFixed(2)}×`],
      ],
    ),
    // All processes share the cores of this machine. Where one fills them, more cannot gain, and must not lose.
    aims: [aim(ratio >= 0.9, `not slower than one process: ${ratio.toFixed(2)} ×`)],
    lossless: isLossless(...one, ...all),
    figures: { one, all, ratio },
  };
});
