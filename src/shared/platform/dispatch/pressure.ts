export type Pressure = {
  /** Notes the time in ms of a statement that takes the same time whenever the machine has room. */
  note: (tookMs: number) => void;
  isHigh: () => boolean;
};

/** The utilization of the event loop, from 0 to 1, of a busy process. */
const busyAbove = 0.6;

/** The average of slow statements is so many times their best time, and so many ms above it. */
const slower = { times: 2, byMs: 3 };

/** The shortest time over which the event loop is measured, in ms. */
const measuredMs = 50;

/** The latest note's part of the average, and the time in ms after which notes say nothing. */
const weight = 0.1;
const forgottenAfterMs = 1_000;

/** The best time grows slowly, so that a machine that has become slower for good is not busy for ever. */
const bestGrows = 1.001;

/** Judges by the event loop and by the time of statements that every process makes all the time. */
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
