import type { Config } from '../config.ts';

/** Which way first attempts go: by a workflow, or straight from the outbox. */
export type Route = {
  /** Whether they may ever go straight. */
  isPossible: boolean;
  /** Whether they go straight now. */
  isStraight: () => boolean;
  /** Watches a start that waits. When starts fall behind, `goStraight` is called once, and its answer says whether the wait is over. */
  wait: (goStraight: () => boolean) => Waiting;
  /** Temporal took a start, or refused one. */
  started: () => void;
  failed: () => void;
};

/** `end`: the start's turn has come. False when it went straight meanwhile. */
type Waiting = { end: () => boolean };

const nothing = () => {};
const waitsOn = { end: () => true };

/** Every first attempt is made by its workflow. */
export const alwaysByWorkflow: Route = {
  isPossible: false,
  isStraight: () => false,
  wait: () => waitsOn,
  started: nothing,
  failed: nothing,
};

/** Every first attempt goes straight. */
const alwaysStraight: Route = { ...alwaysByWorkflow, isPossible: true, isStraight: () => true };

/** Starts are behind when more than so many wait, the oldest of them for longer than so many ms. */
const limits = { waiting: 50, forMs: 1_000 };

/** Starts have caught up when they were not behind for so long, in ms. */
const caughtUpAfterMs = 5_000;

/**
 * For so many ms after catching up, starts are on trial: far fewer that wait far shorter are behind again, so that each try costs few deliveries
 * little. A relapse doubles the time until the next try, up to a minute.
 */
const trial = { ms: 30_000, limits: { waiting: 10, forMs: 100 }, longestMs: 60_000 };

/** How often it looks at what waits, in ms. */
const lookEveryMs = 100;

export type RouteDeps = {
  /** Whether there is a connection to Temporal. */
  isConnected: () => boolean;
  /** Whether Temporal answers now. */
  answers: () => Promise<boolean>;
};

/** Makes the route that the setting names. */
export const createRoute = (setting: Config['workflowPerDelivery'], deps: RouteDeps): Route => {
  if (setting === 'always') return alwaysByWorkflow;
  return setting === 'on-failure' ? alwaysStraight : straightWhileBehind(deps);
};

/**
 * First attempts go straight while starts are behind, or Temporal takes none: they would come late, later each second, though their receivers
 * are well.
 */
const straightWhileBehind = ({ isConnected, answers }: RouteDeps): Route => {
  /** Starts that wait, the oldest first, and since when. */
  const waiting = new Map<object, { sinceMs: number; goStraight: () => boolean }>();
  let behindUntilMs = -Infinity;
  let afterMs = caughtUpAfterMs;
  /** A start has failed, and Temporal has not answered since. */
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;

  const isBehind = ({ now, most }: { now: number; most: typeof limits }): boolean => {
    if (isAway || !isConnected()) return true;
    const [oldest] = waiting.values();
    return waiting.size > most.waiting && oldest !== undefined && now - oldest.sinceMs > most.forMs;
  };

  const look = (): void => {
    const now = performance.now();
    const isOnTrial = now < behindUntilMs + trial.ms;
    if (isBehind({ now, most: isOnTrial ? trial.limits : limits })) {
      if (now >= behindUntilMs) afterMs = isOnTrial ? Math.min(2 * afterMs, trial.longestMs) : caughtUpAfterMs;
      behindUntilMs = now + afterMs;
      for (const [one, { goStraight }] of waiting) if (goStraight()) waiting.delete(one);
    }
    if (waiting.size > 0 || isAway) return;
    clearInterval(timer);
    timer = undefined;
  };

  const askAgain = async (): Promise<void> => {
    if (isAway && (await answers().catch(() => false))) isAway = false;
  };

  const watch = (): void => {
    timer ??= setInterval(() => {
      void askAgain().then(look);
    }, lookEveryMs).unref();
  };

  const isStraight = (): boolean => {
    if (!isConnected()) look();
    return performance.now() < behindUntilMs;
  };

  return {
    isPossible: true,
    isStraight,
    wait: (goStraight) => {
      const one = {};
      waiting.set(one, { sinceMs: performance.now(), goStraight });
      watch();
      return { end: () => waiting.delete(one) };
    },
    started: () => {
      isAway = false;
    },
    failed: () => {
      isAway = true;
      watch();
      look();
    },
  };
};
