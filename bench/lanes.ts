import { nowMs } from './statistics.ts';

/** Does something over and over in so many lanes at once, for so long. Answers how long each took, in ms, and how long all of it took. */
export const inLanes = async (
  { lanes, seconds }: { lanes: number; seconds: number },
  work: () => Promise<unknown>,
): Promise<{ tookMs: number[]; seconds: number }> => {
  const tookMs: number[] = [];
  const startMs = nowMs();
  const lane = async (): Promise<void> => {
    while (nowMs() < startMs + seconds * 1000) {
      const beganMs = nowMs();
      await work();
      tookMs.push(nowMs() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { tookMs, seconds: (nowMs() - startMs) / 1000 };
};

/** Does something for each number below `count`, in so many lanes at once. */
export const forEachIn = async (
  { lanes, count }: { lanes: number; count: number },
  work: (index: number) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work((next += 1) - 1);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
