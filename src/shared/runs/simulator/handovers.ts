import { isOpen, type SimulatedRun, type World } from './world.ts';

/** Which run does it; none when the contact or an agent does. */
type By = { by: SimulatedRun | undefined };

/** Requests a handover, unless there is an open one. Answers what is to be done when everything else is. */
export const requestHandover = (world: World, { by }: By): (() => void)[] => {
  if (world.handover) return [];
  world.handover = { byRunId: by?.state.id ?? null };
  return [() => wakeOthers(world, by)];
};

/** Ends the open handover, if there is one: the other runs that wait for it go on, and those that it has silenced. */
export const endHandover = (world: World, { status, by }: By & { status: 'resolved' | 'expired' }): (() => void)[] => {
  if (!world.handover) return [];
  world.handover = null;
  return [
    () => {
      for (const run of world.runs) {
        if (run === by || !isOpen(run) || run.state.waiting !== 'handover') continue;
        run.inputs = [...run.inputs, { type: 'handover_ended', seq: (world.seq += 1), status }];
      }
      wakeOthers(world, by);
    },
  ];
};

/** Has every other open run make a pass. */
export const wakeOthers = (world: World, by: SimulatedRun | undefined): void => {
  for (const run of world.runs) if (run !== by && isOpen(run)) run.isWoken = true;
};
