import { measureIdle, startCluster, untilDone, type Cluster, type Entrance } from '../scale/cluster.ts';
import {
  countArrivals,
  createTalkers,
  measureCost,
  measureNeighbour,
  type Cost,
  type Counts,
  type Neighbour,
} from '../scale/phases.ts';
import { sayScale, type CostOf } from '../scale/say-scale.ts';
import type { Options } from '../options.ts';
import { onNewGround, type Outcome } from './scenario.ts';
import type { Ground } from '../servers.ts';

/** Messages a second of conversations, and deliveries a second while processes are killed. */
const talksPerSecond = 10;
const killedPerSecond = 200;

/**
 * Measures two API and two worker processes on one PostgreSQL and one Temporal beside a single process, which has an installation of its own:
 * what a delivery costs, what an account does to another one, and what comes when processes are killed.
 */
export const scale = onNewGround((one, options, say) =>
  onNewGround((several) => compare({ one, several }, options, say))(options, say),
);

type Sizes<Value> = Record<'one' | 'several', Value>;

const compare = async (
  grounds: Sizes<Ground>,
  { seconds, rounds, outstanding, offered }: Options,
  say: (line: string) => void,
): Promise<Outcome> => {
  say('scale: starting one process, and two API and two worker processes …');
  const one = await startCluster(grounds.one, 'one');
  const several = await startCluster(grounds.several, 'several');
  const clusters: Sizes<Cluster> = { one, several };
  const accounts: Sizes<Entrance> = { one: await one.addAccount(), several: await several.addAccount() };
  const sizes = ['one', 'several'] as const;
  for (const size of sizes)
    await measureCost(clusters[size], accounts[size], { perSecond: 40, seconds: Math.min(5, seconds) });
  const idle = { one: await measureIdle(one, 5), several: await measureIdle(several, 5) };

  const loads = [
    ...offered.map((perSecond) => ({ name: `${perSecond}/s`, load: { perSecond, seconds } })),
    { name: 'at most', load: { outstanding, seconds: seconds / 3 } },
  ];
  const costs: CostOf[] = [];
  for (const { name, load } of loads) {
    const measured: Sizes<Cost[]> = { one: [], several: [] };
    for (let round = 1; round <= rounds; round += 1) {
      say(`scale: deliveries, ${name}, round ${round} of ${rounds} …`);
      for (const size of sizes) measured[size].push(await measureCost(clusters[size], accounts[size], load));
    }
    costs.push({ name, ...measured });
  }
  for (const size of sizes) await untilDone(clusters[size]);
  const locks = { one: await one.locks.take(), several: await several.locks.take() };

  const neighbours: Record<string, Neighbour> = {};
  for (const size of sizes) {
    say(`scale: an account floods ${size === 'one' ? 'one process' : 'both APIs'} …`);
    neighbours[size] = await measureNeighbour(clusters[size], { perSecond: 10, seconds });
  }

  const talkLoad = { perSecond: talksPerSecond, seconds };
  const counts: Record<string, Counts> = {};
  const talking = async (size: keyof Sizes<Cluster>, name: string) => {
    say(`scale: ${name} …`);
    const talkers = await createTalkers(clusters[size]);
    await countArrivals(clusters[size], talkers, { ...talkLoad, seconds: 3 });
    counts[name] = await countArrivals(clusters[size], talkers, talkLoad);
    return talkers;
  };
  const ofOne = await talking('one', 'conversations, one process');
  const talkers = await talking('several', 'conversations');
  say('scale: SIGKILL of a worker, and of an API …');
  counts['conversations, a worker killed'] = await countArrivals(several, talkers, {
    ...talkLoad,
    meanwhile: () => several.kill('worker 1'),
  });
  counts['deliveries, an API killed'] = await countArrivals(several, accounts.several, {
    perSecond: killedPerSecond,
    seconds,
    meanwhile: () => several.kill('api 1'),
  });
  const wrongRuns = (await ofOne.countWrong()) + (await talkers.countWrong());
  return sayScale({ idle, costs, locks, neighbours, counts, wrongRuns });
};
