/** How busy this process is. */
export type Pressure = {
  /** Notes how long something took that takes the same time whenever the machine has room, in ms. */
  note: (tookMs: number) => void;
  isHigh: () => boolean;
};

/** The event loop's utilization, from 0 to 1, above which the process has no time to spare. */
const busyAbove = 0.6;

/** What is noted has grown long when its average is so many times its best, and at least so many ms above it. */
const slower = { times: 2, byMs: 3 };

/** The event loop is measured over at least so many ms. */
const measuredMs = 50;

/** How much of the average the latest note makes. What was noted before so long ago, in ms, says nothing any more. */
const weight = 0.1;
const forgottenAfterMs = 1_000;

/** The best time is forgotten slowly, so that a machine that has become slower for good is not busy for ever. */
const bestGrows = 1.001;

/** Judges by the event loop, and by how long those statements take that every process makes all the time. */
export const createPressure = (): Pressure => {
  let loop = { measured: performance.eventLoopUtilization(), atMs: performance.now(), utilization: 0 };
  let took = { bestMs: Infinity, averageMs: 0, atMs: -Infinity };

  const utilization = (): number => {
    const now = performance.now();
    if (now - loop.atMs < measuredMs) return loop.utilization;
    const measured = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(measured, loop.measured);
    loop = { measured, atMs: now, utilization: since.utilization };
    return loop.utilization;
  };

  return {
    note: (tookMs) => {
      const atMs = performance.now();
      const isOld = atMs - took.atMs > forgottenAfterMs;
      const averageMs = isOld ? tookMs : took.averageMs + weight * (tookMs - took.averageMs);
      took = { bestMs: Math.min(took.bestMs * bestGrows, tookMs), averageMs, atMs };
    },
    isHigh: () => {
      if (utilization() > busyAbove) return true;
      const { bestMs, averageMs, atMs } = took;
      if (performance.now() - atMs > forgottenAfterMs) return false;
      return averageMs > Math.max(slower.times * bestMs, bestMs + slower.byMs);
    },
  };
};
