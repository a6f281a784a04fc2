import { createWindows } from './windows.ts';

/** What of a window was used: in all, and by each of those who share it, who have taken something and so are of a bounded number. */
type Used = { all: number; by: Map<string, number> };

/** What was taken, or not; `left` is left to the one who asks, `leftToAll` of the budget. */
type Taken = { isTaken: boolean; left: number; leftToAll: number; waitSeconds: number };

/**
 * A number of tries per key in a window of time, which several share: each may take as many as are left to the key then. One alone ends with a half,
 * two with a third each, and the next always finds some (as slots of `createBulkhead`). Who names nobody takes of all that are left.
 */
export const createSharedBudget = ({ tries, windowSeconds }: { tries: number; windowSeconds: number }) => {
  const windows = createWindows({ windowSeconds, begin: (): Used => ({ all: 0, by: new Map() }) });
  return {
    /** Takes so many, or none when fewer are left. */
    take: (key: string, who: string | undefined, count = 1): Taken => {
      const { window, waitSeconds } = windows.of(key);
      const { used } = window;
      const own = who === undefined ? 0 : (used.by.get(who) ?? 0);
      const leftToAll = tries - used.all;
      const left = who === undefined ? leftToAll : Math.max(0, Math.ceil((leftToAll - own) / 2));
      if (count > left) return { isTaken: false, left, leftToAll, waitSeconds };
      used.all += count;
      if (who !== undefined) used.by.set(who, own + count);
      return { isTaken: true, left: left - count, leftToAll: leftToAll - count, waitSeconds };
    },
  };
};
