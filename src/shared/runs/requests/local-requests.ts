import { createBulkhead, type Lane } from '../../platform/bulkhead/bulkhead.ts';
import { readFairnessKey } from '../../platform/temporal/fairness.ts';
import type { Next, RunFlow } from '../types.ts';

/** The requests that a process makes in workflow tasks, where they save the events of an activity. */
export type LocalRequests = {
  /** Says of a short request whose account and origin have room here that it is local, and keeps a slot for it. */
  place: (run: RunFlow, next: Next) => Next;
  /** Takes the slot that is kept for the request of this step, until it is disposed of. Undefined where none is. */
  begin: (runId: string, step: number) => Disposable | undefined;
};

/** The longest request that fits into a workflow task with the passes around it, in ms. */
const longestMs = 10_000;

/** A slot whose request has not begun for so long is free again, in ms: its workflow task was lost. */
const keptMs = 5_000;

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
  /** By request: its slot, and what gives it back. Of one that has begun there is no timer. */
  const kept = new Map<string, { lane: Lane; forget: NodeJS.Timeout | undefined }>();

  const release = (id: string): void => {
    const slot = kept.get(id);
    if (!slot || !kept.delete(id)) return;
    clearTimeout(slot.forget);
    slots.release(slot.lane);
  };

  const keep = (id: string, lane: Lane): boolean => {
    const already = kept.get(id);
    // The same request a second time: its workflow task is made again. Where it has begun, nobody knows yet what becomes of it.
    if (already) return already.forget !== undefined;
    if (!slots.take(lane)) return false;
    kept.set(id, { lane, forget: setTimeout(release, keptMs, id).unref() });
    return true;
  };

  return {
    place: (run, next) => {
      if (next.type !== 'call' || !run.localRequests || next.timeoutMs > longestMs || total === 0) return next;
      const isLocal = keep(idOf(run.runId, next.step), readFairnessKey(next.lane));
      onPlaced(isLocal);
      return isLocal ? { ...next, local: true } : next;
    },
    begin: (runId, step) => {
      const id = idOf(runId, step);
      const slot = kept.get(id);
      if (slot?.forget === undefined) return undefined;
      clearTimeout(slot.forget);
      slot.forget = undefined;
      return { [Symbol.dispose]: () => release(id) };
    },
  };
};

const idOf = (runId: string, step: number): string => `${runId}/${step}`;
