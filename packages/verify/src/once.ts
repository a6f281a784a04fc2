import { StillRunningError } from './errors.ts';

/** Keeps the ids that have been taken. A store of your own (a database, Redis) serves several processes and survives restarts. */
export type SeenStore = {
  /**
   * Takes an id, atomically: true for the first caller, false afterwards. A store that several processes share answers `'running'` instead of
   * false until `done` is called, because the working process may still fail. After a minute, for example, it should give the id to the next
   * caller, because the other process may have died.
   */
  take: (id: string) => Taken | Promise<Taken>;
  /** Releases an id whose work has failed, so that the next attempt does not count as a duplicate. */
  release: (id: string) => void | Promise<void>;
  /** Says that the work of an id is done. Only a store that answers `'running'` needs it. */
  done?: (id: string) => void | Promise<void>;
};

type Taken = boolean | 'running';

/** Does the work of an id, unless it was done before. */
export type Once = (id: string, work: () => unknown) => Promise<'done' | 'duplicate'>;

/**
 * Discards duplicates. Deliveries come at least once, each time with the same id. When the work throws, this throws as well: answer 500, and
 * the next attempt finds the id free. A duplicate that comes while the work runs waits for its outcome. When the work runs in another process,
 * this throws a StillRunningError: answer its `status`, 503, and a later attempt finds the outcome.
 */
export const createOnce = (store: SeenStore = createMemoryStore()): Once => {
  const running = new Map<string, Promise<unknown>>();

  const run = async (id: string, work: () => unknown): Promise<'done' | 'duplicate'> => {
    const taken = await store.take(id);
    if (taken === 'running') throw new StillRunningError(id);
    if (!taken) return 'duplicate';
    try {
      await work();
    } catch (error) {
      await store.release(id);
      throw error;
    }
    await store.done?.(id);
    return 'done';
  };

  return async (id, work) => {
    const other = running.get(id);
    if (other) {
      // To answer "duplicate" at once would lose the delivery if the work failed afterwards.
      await other;
      return 'duplicate';
    }
    const mine = run(id, work);
    running.set(id, mine);
    try {
      return await mine;
    } finally {
      running.delete(id);
    }
  };
};

/** Keeps ids in memory, for one process: at most `maxIds` of the last `maxAgeMs` milliseconds. The oldest are forgotten first. */
export const createMemoryStore = ({ maxIds = 100_000, maxAgeMs = 86_400_000 } = {}): SeenStore => {
  const takenAt = new Map<string, number>();

  const forgetOld = (nowMs: number): void => {
    // A Map keeps the order of insertion, so the oldest come first.
    for (const [id, atMs] of takenAt) {
      if (takenAt.size <= maxIds && nowMs - atMs < maxAgeMs) return;
      takenAt.delete(id);
    }
  };

  return {
    take: (id) => {
      const nowMs = Date.now();
      forgetOld(nowMs);
      if (takenAt.has(id)) return false;
      takenAt.set(id, nowMs);
      forgetOld(nowMs);
      return true;
    },
    release: (id) => void takenAt.delete(id),
  };
};
