import { createBatches } from '../../platform/batches.ts';
import type { Database } from '../../platform/db/connect.ts';
import { withDeadline } from '../../platform/deadline.ts';
import type { Logger } from '../../platform/log.ts';
import { findFirstAttempts, type DueFirstAttempt } from '../attempts.ts';
import { bookkeepingMs } from './statements.ts';

/** `askedMs` and `readMs` are before and after the statement, by the monotonic clock. */
export type Read = { due: DueFirstAttempt | undefined; askedMs: number; readMs: number };

/** Nothing was sent: this process stops or is congested, the lease is too short, or the delivery could not be read. */
export class NotSent extends Error {}

type Asked = { id: string } & Pick<PromiseWithResolvers<Read>, 'resolve' | 'reject'>;

type Deps = { forBatches: Database; note: (tookMs: number) => void; log: Logger };

const atOnce = 100;

/** Reads the first attempts that wait in one statement. Rejects with `NotSent`. */
export const createReads = ({ forBatches, note, log }: Deps) => {
  let waiting = 0;
  const reads = createBatches<Asked>({
    most: atOnce,
    work: async (batch) => {
      const askedMs = performance.now();
      try {
        const ids = batch.map(({ id }) => id);
        const due = await withDeadline(bookkeepingMs, 'reading what to send', () => findFirstAttempts(forBatches, ids));
        const readMs = performance.now();
        note(readMs - askedMs);
        for (const { id, resolve } of batch) resolve({ due: due.get(id), askedMs, readMs });
      } catch (error) {
        log.warn({ err: error, left: batch.length }, 'outbox.unread');
        for (const { reject } of batch) reject(new NotSent());
      }
      waiting -= batch.length;
    },
  });
  return {
    read: (id: string): Promise<Read> => {
      const { promise, resolve, reject } = Promise.withResolvers<Read>();
      waiting += 1;
      reads.add({ id, resolve, reject });
      return promise;
    },
    waiting: () => waiting,
    drain: reads.drain,
  };
};
