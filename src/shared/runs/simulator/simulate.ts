import { makePass } from './make-pass.ts';
import { makeRequest, NeedsAnswer } from './make-request.ts';
import type { RealRequest, Simulated, Simulation, TakenInput } from './simulation.ts';
import { createRequireRoom, Stopped, type RequireRoom } from './stop.ts';
import { takeInput } from './take-input.ts';
import { createWorld, isOpen, nextOrder, snapshotOf, startRun, type SimulatedRun, type World } from './world.ts';

/** The result of a simulation, or the request that it needs an answer to: ask again with that one. */
export type SimulationOutcome = { type: 'done'; result: Simulated } | { type: 'ask'; request: RealRequest };

/** `cpuMs`: the CPU time after which it is ended between two passes. */
export type SimulateOptions = { cpuMs?: number };

/**
 * Takes a contact through a flow in memory: `interpret` and the blocks decide as for a run, and what they do changes the simulation's world alone. It
 * begins a run, then takes one input after the other; after each, all runs go on until they wait. The same simulation has the same result. Throws for a definition that is not valid, and for a start that is none of its blocks.
 */
export const simulate = async (
  given: Simulation,
  { cpuMs = Infinity }: SimulateOptions = {},
): Promise<SimulationOutcome> => {
  const world = createWorld(given);
  try {
    await walk(world, createRequireRoom(cpuMs));
    return { type: 'done', result: resultOf(world) };
  } catch (error) {
    if (error instanceof NeedsAnswer) return { type: 'ask', request: error.request };
    if (error instanceof Stopped) return { type: 'done', result: { ...resultOf(world), ...stoppedAt(world, error) } };
    throw error;
  }
};

const stoppedAt = ({ requests }: World, { waiting, reason }: Stopped) => {
  const blockId = waiting === 'mock' ? requests.at(-1)?.blockId : undefined;
  return { status: 'waiting', waiting, reason, wakeAt: null, ...(blockId !== undefined && { blockId }) } as const;
};

const walk = async (world: World, requireRoom: RequireRoom): Promise<void> => {
  const { inputs, params } = world.given;
  startRun(world, { params, event: null, depth: 0 });
  await goOn(world, requireRoom);
  for (const input of inputs) {
    if (input.type === 'after') await passTime(world, requireRoom, world.now.getTime() + input.ms);
    else {
      const place = { order: nextOrder(world), at: world.now };
      world.routed.push({ ...takeInput(world, input), ...place });
      await goOn(world, requireRoom);
    }
  }
};

/** Lets time pass: what is due until then happens at its time, in order. */
const passTime = async (world: World, requireRoom: RequireRoom, until: number): Promise<void> => {
  const place = { order: nextOrder(world), at: world.now };
  const routed: TakenInput = { to: 'clock', run: null, by: null, because: null, ...place };
  world.routed.push(routed);
  for (;;) {
    const next = findTimer(world);
    if (!next || next.at > until) break;
    world.now = new Date(Math.max(world.now.getTime(), next.at));
    fire(world, next.run);
    await goOn(world, requireRoom);
  }
  world.now = new Date(Math.max(world.now.getTime(), until));
};

/** Has all runs make passes and requests until they wait; requests pass time, so that timers may be due. */
const goOn = async (world: World, requireRoom: RequireRoom): Promise<void> => {
  for (;;) {
    requireRoom(world);
    const run = world.runs.find(({ isWoken }) => isWoken);
    const calling = world.runs.find((one) => isOpen(one) && one.next?.type === 'call');
    const timer = findTimer(world);
    if (run) makePass(world, run, snapshotOf(world, run));
    else if (calling) await makeRequest(world, calling);
    else if (timer && timer.at <= world.now.getTime()) fire(world, timer.run);
    else return;
  }
};

/** Timers that are due at the same time fire in the order in which their waits began, which takes some time outside of a simulation. */
const findTimer = ({ runs }: World): { run: SimulatedRun; at: number } | undefined =>
  runs
    .flatMap((run) =>
      isOpen(run) && run.next?.type === 'wait' && run.next.dueAt !== undefined ? [{ run, at: run.next.dueAt }] : [],
    )
    .toSorted((a, b) => a.at - b.at || a.run.waitNumber - b.run.waitNumber)[0];

const fire = (world: World, run: SimulatedRun): void =>
  makePass(world, run, { ...snapshotOf(world, run), due: run.state.step });

const resultOf = (world: World): Simulated => {
  const run = world.runs.findLast(isOpen) ?? world.runs.at(-1);
  const { messages, changes, contact, requests, startedFlows, routed, now } = world;
  const steps = world.entered.flatMap(({ run: of, step: number, order }) => {
    const step = of.steps.get(number);
    return step ? [{ ...step, run: of.number, order }] : [];
  });
  return {
    status: run?.state.status ?? 'failed',
    waiting: run?.state.waiting ?? null,
    reason: run?.state.reason ?? null,
    blockId: run?.state.blockId ?? null,
    wakeAt: run?.state.wakeAt ?? null,
    now,
    steps,
    messages,
    changes,
    contact,
    requests,
    startedFlows,
    routed,
  };
};
