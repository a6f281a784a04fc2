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

/** Bounds a simulation by its steps, and by the CPU time of its thread from now on, in ms. It is asked between passes. */
export const createRequireRoom = (cpuMs: number): RequireRoom => {
  const begin = process.threadCpuUsage();
  return ({ entered }) => {
    if (entered.length > simulationLimits.steps) throw new Stopped('limit', 'step_limit');
    const { user, system } = process.threadCpuUsage(begin);
    if ((user + system) / 1_000 > cpuMs) throw new Stopped('limit', 'time_limit');
  };
};
