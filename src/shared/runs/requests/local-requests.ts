import { createBulkhead } from '../../platform/bulkhead/bulkhead.ts';
import { readFairnessKey } from '../../platform/temporal/fairness.ts';
import type { Next } from '../types.ts';

/** The requests that a process makes in workflow tasks, where they save the events of an activity. */
export type LocalRequests = {
  /** Says of a short request that it is local, where its account and origin have room in this process. */
  place: PlaceRequest;
  /** Takes a slot for a request of this lane, until it is disposed of. Undefined where none is free. */
  begin: (lane: string) => Disposable | undefined;
  /** Has requests begin again, because workers run. */
  open: () => void;
  /** Has none begin any more, because the workers stop: a run with many requests would hold that up. */
  close: () => void;
};

export type PlaceRequest = (next: Next) => Next;

/** The longest request that fits into a workflow task with the passes around it, in ms. */
const longestMs = 10_000;

type Deps = {
  total: number;
  /** Hears of each short request whether it has a slot. */
  onPlaced?: (isLocal: boolean) => void;
};

/**
 * Shares so many slots among accounts and origins: whoever hangs leaves a slot to the next account, and to the next origin. A process that makes no
 * requests has none.
 */
export const createLocalRequests = ({ total, onPlaced = () => {} }: Deps): LocalRequests => {
  const slots = createBulkhead({ total });
  let isOpen = total > 0;

  const begin: LocalRequests['begin'] = (key) => {
    const lane = readFairnessKey(key);
    const isTaken = isOpen && slots.take(lane);
    onPlaced(isTaken);
    return isTaken ? { [Symbol.dispose]: () => slots.release(lane) } : undefined;
  };

  return {
    begin,
    place: (next) => {
      if (next.type !== 'call' || next.timeoutMs > longestMs || !isOpen) return next;
      const lane = readFairnessKey(next.lane);
      if (!slots.take(lane)) {
        onPlaced(false);
        return next;
      }
      slots.release(lane);
      return { ...next, local: true };
    },
    open: () => {
      isOpen = total > 0;
    },
    close: () => {
      isOpen = false;
    },
  };
};
