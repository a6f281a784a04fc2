import { simulationLimits } from './simulation.ts';
import type { World } from './world.ts';

/** Ends a simulation before its inputs are all taken. What was done until then is its result. */
export class Stopped extends Error {
  readonly waiting: 'mock' | 'limit';
  readonly reason: string | null;

  constructor(waiting: 'mock' | 'limit', reason: string | null) {
    super(reason ?? waiting);
    this.waiting = waiting;
    this.reason = reason;
  }
}

/** Throws `Stopped` when a simulation has done as much as it may. */
export type RequireRoom = (world: World) => void;

/** Throws `Stopped` when what is kept is more than an answer may have. Only what is new since the last time is measured. */
export const requireSize = ({ size, messages, changes, requests, startedFlows }: World): void => {
  for (const list of [messages, changes, requests, startedFlows]) {
    for (const kept of list.slice(size.counted.get(list) ?? 0)) size.bytes += Buffer.byteLength(JSON.stringify(kept));
    size.counted.set(list, list.length);
  }
  if (size.bytes > simulationLimits.bytes) throw new Stopped('limit', 'size_limit');
};

/** Bounds a simulation by its size, by its steps, and by the CPU time of its thread from now on, in ms. It is asked between passes. */
export const createRequireRoom = (cpuMs: number): RequireRoom => {
  const begin = process.threadCpuUsage();
  return (world) => {
    requireSize(world);
    if (world.entered.length > simulationLimits.steps) throw new Stopped('limit', 'step_limit');
    const { user, system } = process.threadCpuUsage(begin);
    if ((user + system) / 1_000 > cpuMs) throw new Stopped('limit', 'time_limit');
  };
};
