import { runClosedLoop } from '../load.ts';
import { measure, type Measured } from '../measure.ts';
import { readMemory } from '../processes.ts';
import { api, partsOf } from '../servers.ts';
import { aim, table } from '../text.ts';
import { isLossless, onNewGround } from './scenario.ts';

/** Measures the memory of each part after many deliveries, and after several times as many. */
export const memory = onNewGround(async (ground, { outstanding, memory: [first, last] }, say) => {
  const parley = await ground.startProcess('parley', { file: api, database: ground.postgres.database });
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
  const rss = ({ memory }: typeof early, part: string): number => memory[part]?.rssMb ?? 0;
  const growth = rss(late, 'parley') / rss(early, 'parley');
  return {
    title: `Memory after ${early.deliveries} and after ${late.deliveries} deliveries at saturation, RSS in MB`,
    lines: table(
      ['', 'first', 'last', 'ratio'],
      ['parley', 'temporal', 'postgres'].map((part) => [
        part,
        rss(early, part).toFixed(0),
        rss(late, part).toFixed(0),
        `${(rss(late, part) / rss(early, part)).toFixed(2)}×`,
      ]),
    ),
    aims: [aim(growth <= 1.1, `the service's memory is flat, within 10 %: ${growth.toFixed(2)} ×`)],
    lossless: isLossless(...runs),
    figures: { early, late, growth },
  };
});
