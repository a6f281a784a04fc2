import { runClosedLoop } from '../load.ts';
import { measure, type Measured } from '../measure.ts';
import { readMemory } from '../processes.ts';
import { partsOf, whole } from '../servers.ts';
import { aim, table } from '../text.ts';
import { isLossless, onNewGround } from './scenario.ts';

/** Measures the memory of each part after many deliveries, and after several times as many. */
export const memory = onNewGround(async (ground, { outstanding, memory: [first, last] }, say) => {
  const parley = await ground.startProcess('parley', { file: whole, database: ground.postgres.database });
  const target = await ground.addTarget(parley);
  const parts = partsOf(ground, { parley });
  const runs: Measured[] = [];
  const sofar = (): number => runs.reduce((sum, { deliveries }) => sum + deliveries, 0);
  const deliverUntil = async (count: number) => {
    while (sofar() < count) {
      const load = { outstanding: Math.min(outstanding, count - sofar()), seconds: 10 };
      const { ids: _, ...figures } = await measure(parts, () =>
        runClosedLoop({ target, receiver: ground.receiver }, load),
      );
      runs.push(figures);
      if (figures.deliveries === 0) throw new Error('nothing was delivered in ten seconds');
      say(`memory: ${sofar()} of ${last} deliveries …`);
    }
    return { deliveries: sofar(), memory: readMemory(parts) };
  };

  const early = await deliverUntil(first);
  const late = await deliverUntil(last);
  const served = ['parley', 'temporal', 'postgres'];
  const inAllMb = ({ memory }: typeof early): number =>
    served.reduce((sum, part) => sum + (memory[part]?.pssMb ?? 0), 0);
  const rss = ({ memory }: typeof early, part: string): number => memory[part]?.rssMb ?? 0;
  const growth = rss(late, 'parley') / rss(early, 'parley');
  return {
    title: `Memory after ${early.deliveries} and after ${late.deliveries} deliveries at saturation, RSS in MB`,
    lines: [
      ...table(
        ['', 'first', 'last', 'ratio'],
        served.map((part) => [
          part,
          rss(early, part).toFixed(0),
          rss(late, part).toFixed(0),
          `${(rss(late, part) / rss(early, part)).toFixed(2)}×`,
        ]),
      ),
      '',
      `  in all, with shared memory counted once (PSS): ${inAllMb(early).toFixed(0)} → ${inAllMb(late).toFixed(0)} MB`,
    ],
    aims: [
      aim(growth <= 1.1, `the service's memory is flat, within 10 %: ${growth.toFixed(2)} ×`),
      aim(inAllMb(late) <= 600, `at most 600 MB in all: ${inAllMb(late).toFixed(0)} MB`),
    ],
    lossless: isLossless(...runs),
    figures: { early, late, growth },
  };
});
