import type { Reception } from '../receiver.ts';
import { nowMs } from '../statistics.ts';

/** What clients of streams have received: as the receiver of webhooks, but in this process. */
export type Receptions = {
  note: (marker: string) => void;
  /** Resolves when this marker is noted. Rejects after `lostAfterMs`. */
  wait: (marker: string) => Promise<void>;
  count: () => Promise<number>;
  take: () => Promise<Reception[]>;
};

const lostAfterMs = 30_000;

export const createReceptions = (): Receptions => {
  const noted: Reception[] = [];
  const waiting = new Map<string, () => void>();
  return {
    note: (marker) => {
      noted.push({ marker, id: '', atMs: nowMs() });
      waiting.get(marker)?.();
    },
    wait: async (marker) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const tooLate = setTimeout(() => reject(new Error(`"${marker}" did not come over a stream`)), lostAfterMs);
      waiting.set(marker, resolve);
      try {
        await promise;
      } finally {
        clearTimeout(tooLate);
        waiting.delete(marker);
      }
    },
    count: async () => noted.length,
    take: async () => noted.splice(0),
  };
};
