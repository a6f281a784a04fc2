import { z } from 'zod';
import { RequestError } from '../../errors.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { Task } from '../../platform/threads/task.ts';
import type { Threads } from '../../platform/threads/threads.ts';
import { unreachable } from '../../unreachable.ts';
import { showNothing, showSimulated, type SimulationResult } from './schema.ts';
import { simulate } from './simulate.ts';
import type { RealRequest, Simulation } from './simulation.ts';

/** A simulation stops between two passes after this much CPU time, in ms: less than a thread may take, so that its result is still told. */
const cpuMs = 600;

/** The most that this process reads of a thread's answer, in bytes. `simulationLimits` end a simulation long before. */
const maxAnswerBytes = 6_000_000;

/** The most simulations of an account that wait, behind its checks and mappings, and how long each waits, in ms. */
const waiting = { most: 5, patienceMs: 5_000 };

/** How long a simulation that has sent real requests waits to go on, in ms. */
const goesOnWithinMs = 30_000;

/** A simulation as it is shown, or the request to which it needs an answer. */
type ShownSimulation = { type: 'done'; result: SimulationResult } | { type: 'ask'; request: RealRequest };

/** Simulates for an account, in its turn. Throws `unavailable` while too many of its simulations wait, and after a wait too long. */
export type SimulateFor = (accountId: string, simulation: Simulation) => Promise<ShownSimulation>;

/** What the thread does. A clone of an exact number has no digits, so it is given JSON, and answers JSON, of `maxBytes` at most. */
export const simulateAsJson = async (json: string, maxBytes = maxAnswerBytes): Promise<string> => {
  const simulation = simulationOnThread.parse(parseJson(json));
  const outcome = await simulate(simulation, { cpuMs });
  const shown: ShownSimulation =
    outcome.type === 'done'
      ? { type: 'done', result: showSimulated(outcome.result, { seed: Number(simulation.seed) }) }
      : outcome;
  const answer = JSON.stringify(shown);
  if (Buffer.byteLength(answer) <= maxBytes) return answer;
  return JSON.stringify({ type: 'done', result: showNothing({ ...simulation, reason: 'size_limit' }) });
};

/** Both sides of the thread are this process's own. */
const simulationOnThread = z.custom<Simulation>();
const shownOnThread = z.custom<ShownSimulation>();

const task: Task<string, string> = { module: import.meta.url, name: 'simulateAsJson', behind: waiting };

/** Refusing it would lose what its real requests have come to. */
const goingOn: typeof task = { ...task, behind: { patienceMs: goesOnWithinMs }, waitsAlways: true };

const hasBegun = ({ real }: Simulation): boolean =>
  real !== null && (real.answers.length > 0 || real.over !== undefined);

/** Simulates on threads, one at a time for an account and behind its other work, so that no flow holds up anything else. */
export const createSimulateOnThread =
  (threads: Threads): SimulateFor =>
  async (accountId, simulation) => {
    const done = await threads.run(accountId, hasBegun(simulation) ? goingOn : task, JSON.stringify(simulation));
    switch (done.type) {
      case 'done':
        return shownOnThread.parse(parseJson(done.output));
      case 'over':
        return { type: 'done', result: showNothing({ ...simulation, reason: 'time_limit' }) };
      case 'busy':
        throw new RequestError(
          'unavailable',
          'This account has too many simulations under way. Try again in a moment.',
        );
      default:
        return unreachable(done);
    }
  };
