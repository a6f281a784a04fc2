import { randomOf } from '../random-of.ts';
import { startCuttingProxy, type CuttingProxy } from '../cutting-proxy.ts';

/** A network between one browser and Parley, calm until a test disturbs it. */
export type Network = Pick<CuttingProxy, 'url' | 'cutStreams' | 'stop'> & { setCalm: (isCalm: boolean) => void };

/**
 * Where it is not calm, requests wait up to 300 ms each, so that they overtake one another, and one in eight is cut off before it comes to Parley,
 * and one in eight before its answer comes back. Files of pages go through.
 */
export const startNetwork = async (target: string, seed: number): Promise<Network> => {
  const random = randomOf(seed);
  let isCalm = true;
  const proxy = await startCuttingProxy(target, (_, path) => {
    if (isCalm || !/^\/(?:webchat\/\w+\/(?!widget)|dashboard\/api)/.test(path)) return { waitMs: 0, cut: undefined };
    const chance = random();
    const cut = chance < 0.125 ? 'request' : chance < 0.25 ? 'answer' : undefined;
    return { waitMs: Math.floor(random() * 300), cut };
  });
  return { ...proxy, setCalm: (now) => void (isCalm = now) };
};
