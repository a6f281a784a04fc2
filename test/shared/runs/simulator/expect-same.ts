import { expect } from 'vitest';
import type { Simulated, SimulatedInput } from '../../../../src/shared/runs/simulator/simulation.ts';
import type { StoredWalk } from './walk-rows.ts';

/** What a pass takes: the clock of the rows goes on meanwhile, the simulation's does not. In ms. */
export const toleranceMs = 30_000;

/** Whether two times are the same but for that. */
export const areNear = (a: Date | null, b: Date | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a.getTime() - b.getTime()) < toleranceMs;

/** Expects of a simulation and of rows the same, but for what a pass takes. A run may go on where its simulation ends by a bound of its own. */
export const expectSame = (walked: Simulated, inputs: readonly SimulatedInput[], stored: StoredWalk): void =>
  walked.waiting === 'limit' ? expectSameUntilLimit(walked, stored) : expectSameWalk(shown(walked, inputs), stored);

const expectSameWalk = (memory: ReturnType<typeof shown>, stored: StoredWalk): void => {
  const steps = memory.steps.map((step, index) => {
    const { enteredAt, leftAt } = stored.steps[index] ?? step;
    return {
      ...step,
      ...(areNear(step.enteredAt, enteredAt) && { enteredAt }),
      ...(areNear(step.leftAt, leftAt) && { leftAt }),
    };
  });
  const { wakeAt } = stored.run;
  const run = { ...memory.run, ...(areNear(memory.run.wakeAt, wakeAt) && { wakeAt }) };
  expect({ ...memory, run, steps }).toEqual(stored);
};

const expectSameUntilLimit = ({ steps }: Simulated, stored: StoredWalk): void => {
  const done = steps.filter(({ status }) => status === 'done');
  const say = ({ run, number, blockId, visit, port, reason }: (typeof stored.steps)[number]): string =>
    JSON.stringify([run, number, blockId, visit, port, reason]);
  const known = new Set(stored.steps.map(say));
  expect(done.map(say).filter((step) => !known.has(step))).toEqual([]);
};

const shown = (
  { status, waiting, blockId, reason, wakeAt, steps, messages, requests, routed, contact }: Simulated,
  inputs: readonly SimulatedInput[],
) => ({
  run: { status, waiting, blockId, reason, wakeAt },
  steps: steps.map(({ order: _order, ...step }) => step).toSorted((a, b) => a.run - b.run || a.number - b.number),
  messages: messages.map(({ text, run, blockId: at }) => ({ text, run, blockId: at })),
  requests: requests.map(({ run, blockId: at, itemIndex, method, attempt, statusCode, reason: why, port }) => ({
    run,
    blockId: at,
    itemIndex,
    method,
    try: attempt,
    statusCode,
    reason: why,
    port,
  })),
  routed: routed
    .filter((_, index) => inputs[index]?.type === 'text')
    .map(({ to, run, because }) => ({ to, run, because: to === 'nobody' ? because : null })),
  fields: contact.fields,
  lastName: contact.lastName,
  tags: contact.tags.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
});
