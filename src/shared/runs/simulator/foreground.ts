import { isOpen, type SimulatedRun, type World } from './world.ts';

/** As `moveForeground` of the rows: given back, it goes to the run that was interrupted last, else to the one that has waited longest. */
export const moveForeground = (world: World, { from, to }: { from: string | null; to: string | null }): void => {
  if (from === to) return;
  const next = to === null ? findNext(world, from) : undefined;
  world.foreground = next?.state.rootRunId ?? to;
  if (next) next.isWoken = true;
};

const findNext = ({ runs }: World, from: string | null): SimulatedRun | undefined => {
  const waiting = runs.filter(
    (run) =>
      isOpen(run) &&
      run.state.rootRunId !== from &&
      (run.state.waiting === 'foreground' || run.state.waiting === 'reply'),
  );
  const isNew = ({ state }: SimulatedRun): boolean => state.leftMs === null && state.waiting === 'foreground';
  const interrupted = waiting.filter((run) => !isNew(run)).toSorted((a, b) => b.waitNumber - a.waitNumber);
  return interrupted[0] ?? waiting.toSorted((a, b) => a.waitNumber - b.waitNumber)[0];
};
