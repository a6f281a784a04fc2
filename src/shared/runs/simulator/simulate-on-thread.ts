import { z } from 'zod';
import { RequestError } from '../../errors.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { Task } from '../../platform/threads/task.ts';
import type { Threads } from '../../platform/threads/threads.ts';
import { unreachable } from '../../unreachable.ts';
import { showSimulated, tooCostly, type SimulationResult } from './schema.ts';
import { simulate } from './simulate.ts';
import type { RealRequest, Simulation } from './simulation.ts';

/** The CPU time after which a simulation is ended between two passes, in ms: less than a thread may take, so that what was done is told. */
const cpuMs = 600;

/** A simulation as it is shown, or the request to which it needs an answer. */
type ShownSimulation = { type: 'done'; result: SimulationResult } | { type: 'ask'; request: RealRequest };

/** Simulates for an account, in its turn. Throws `unavailable` while too many of its simulations and checks wait. */
export type SimulateFor = (accountId: string, simulation: Simulation) => Promise<ShownSimulation>;

/** What the thread does. A clone of an exact number has no digits, so it is given JSON, and answers JSON. */
export const simulateAsJson = async (json: string): Promise<string> => {
  const simulation = simulationOnThread.parse(parseJson(json));
  const outcome = await simulate(simulation, { cpuMs });
  const shown: ShownSimulation =
    outcome.type === 'done'
      ? { type: 'done', result: showSimulated(outcome.result, { seed: Number(simulation.seed) }) }
      : outcome;
  return JSON.stringify(shown);
};

/** Both sides of the thread are this process's own. */
const simulationOnThread = z.custom<Simulation>();
const shownOnThread = z.custom<ShownSimulation>();

const task: Task<string, string> = { module: import.meta.url, name: 'simulateAsJson' };

/** Simulates on threads, one at a time for an account, so that no flow holds up anybody else. */
export const createSimulateOnThread =
  (threads: Threads): SimulateFor =>
  async (accountId, simulation) => {
    const done = await threads.run(accountId, task, JSON.stringify(simulation));
    switch (done.type) {
      case 'done':
        return shownOnThread.parse(parseJson(done.output));
      case 'over':
        return {
          type: 'done',
          result: tooCostly(Number(simulation.seed), new Date(simulation.now), simulation.contact),
        };
      case 'busy':
        throw new RequestError(
          'unavailable',
          'This account has too many flows being checked and simulated. Try again in a moment.',
        );
      default:
        return unreachable(done);
    }
  };
