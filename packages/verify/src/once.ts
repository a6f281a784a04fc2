import { StillRunningError } from './errors.ts';

/** Where the ids are kept that have been taken. One of your own (a database, Redis) serves several processes and restarts. */
export type SeenStore = {
  /**
   * Takes an id, atomically: true for the first who asks, false afterwards. A store that several processes share says
   * `'running'` instead of false until `done` was called: while another process works, nobody knows yet whether it will fail.
   * After a minute, say, it gives the id to the next who asks, for the other process may have died.
   */
  take: (id: string) => Taken | Promise<Taken>;
  /** Gives an id back whose work has failed, so that the next attempt is not taken for a duplicate. */
  release: (id: string) => void | Promise<void>;
  /** The work of an id is done. Only a store that says `'running'` needs to know. */
  done?: (id: string) => void | Promise<void>;
};

type Taken = boolean | 'running';

/** Does the work of an id, unless that was done before. */
export type Once = (id: string, work: () => unknown) => Promise<'done' | 'duplicate'>;

/**
 * Discards what comes twice: deliveries come at least once, each time with the same id. When the work throws, so does this:
 * answer 500, and the next attempt finds the id free. Who comes while the work runs waits for its outcome; where it runs in
 * another process, this throws a StillRunningError: answer its `status`, 503, and a later attempt finds the outcome.
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
      // Not an answer of "duplicate" at once: were the work to fail after that, nobody would send it again.
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

/** Ids in memory, for one process: at most `maxIds` of the last `maxAgeMs` milliseconds, the oldest forgotten first. */
export const createMemoryStore = ({ maxIds = 100_000, maxAgeMs = 86_400_000 } = {}): SeenStore => {
  const takenAt = new Map<string, number>();

  const forgetOld = (nowMs: number): void => {
    // A Map is in order of insertion: the oldest come first.
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
