import { createBulkhead, type Lane } from '../bulkhead/bulkhead.ts';

/** Bounds the first attempts that run inside workflow tasks, each of which holds a slot for as long as its POST takes. */
export type FirstAttempts = {
  /**
   * `local` takes a place, to be given back by `release`, and waits a little for one where the webhook, its account, or the
   * process has its share under way. `ordinary` when none came free: a receiver that hangs holds up nobody's deliveries
   * for long.
   */
  take: (deliveryId: string, lane: Lane) => Promise<'local' | 'ordinary'>;
  /** Gives a place back whose workflow may begin in any process, unless its attempt has entered here meanwhile. */
  forgo: (deliveryId: string) => void;
  /** Begins the attempt, in the place that its start took or in one that is free; false when there is none. */
  enter: (deliveryId: string, lane: Lane) => boolean;
  /** Gives a place back; of a delivery that has none, nothing. */
  release: (deliveryId: string) => void;
};

export type FirstAttemptsOptions = {
  /** Places of one webhook at most; how they are shared says `createBulkhead`. */
  perKey?: number;
  /** Places of all webhooks together. */
  total?: number;
  /** How long a delivery waits for a place. */
  patienceMs?: number;
  /** A place is forgotten after this long: its workflow went to another process, or died before its attempt. */
  forgottenAfterMs?: number;
};

type Waiter = { deliveryId: string; lane: Lane; answer: (place: 'local' | 'ordinary') => void };

/** A busy webhook's deliveries wait rather than become dearer ones; ids are UUIDs. */
export const createFirstAttempts = ({
  perKey = 64,
  total = 300,
  patienceMs = 3_000,
  forgottenAfterMs = 30_000,
}: FirstAttemptsOptions = {}): FirstAttempts => {
  const places = createBulkhead({ total, perKey });
  const taken = new Map<string, { lane: Lane; at: number; entered: boolean }>();
  /** By account and by its webhooks, those that were looked at last at the end. */
  const waiting = new Map<string, Map<string, Set<Waiter>>>();

  const occupy = (deliveryId: string, lane: Lane): boolean => {
    if (!places.take(lane)) return false;
    taken.set(deliveryId, { lane, at: performance.now(), entered: false });
    return true;
  };

  const vacate = (deliveryId: string): boolean => {
    const place = taken.get(deliveryId);
    if (!place) return false;
    taken.delete(deliveryId);
    places.release(place.lane);
    return true;
  };

  const forget = (): void => {
    // A Map keeps the order of insertion: the oldest come first.
    for (const [deliveryId, { at }] of taken) {
      if (at > performance.now() - forgottenAfterMs) return;
      vacate(deliveryId);
    }
  };

  const wait = (deliveryId: string, lane: Lane): Promise<'local' | 'ordinary'> =>
    new Promise((resolve) => {
      const { accountId, key } = lane;
      const waiter: Waiter = {
        deliveryId,
        lane,
        answer: (place) => {
          clearTimeout(patience);
          const lines = waiting.get(accountId);
          const line = lines?.get(key);
          line?.delete(waiter);
          if (line?.size === 0) lines?.delete(key);
          if (lines?.size === 0) waiting.delete(accountId);
          resolve(place);
        },
      };
      const patience = setTimeout(() => waiter.answer('ordinary'), patienceMs);
      const lines = waiting.get(accountId) ?? new Map<string, Set<Waiter>>();
      waiting.set(accountId, lines);
      lines.set(key, (lines.get(key) ?? new Set()).add(waiter));
    });

  /**
   * Each webhook's oldest has its turn before any webhook has its second. However many wait, only accounts that have room are
   * looked into: what a place given back costs does not grow with them.
   */
  const serveWaiting = (): void => {
    for (const [accountId, lines] of inTurn(waiting)) {
      if (places.isFull()) return;
      for (const [, line] of places.hasRoom(accountId) ? inTurn(lines) : []) {
        const [next] = line;
        if (next && occupy(next.deliveryId, next.lane)) next.answer('local');
        if (!places.hasRoom(accountId)) break;
      }
    }
  };

  const release = (deliveryId: string): void => {
    if (vacate(deliveryId)) serveWaiting();
  };

  return {
    take: async (deliveryId, lane) => {
      forget();
      // One that has a place already is being started for the second time: the first start has it.
      if (taken.has(deliveryId)) return 'ordinary';
      return occupy(deliveryId, lane) ? 'local' : wait(deliveryId, lane);
    },
    forgo: (deliveryId) => {
      if (!taken.get(deliveryId)?.entered) release(deliveryId);
    },
    enter: (deliveryId, lane) => {
      forget();
      if (!taken.has(deliveryId) && !occupy(deliveryId, lane)) return false;
      const place = taken.get(deliveryId);
      if (place) place.entered = true;
      return true;
    },
    release,
  };
};

/** Each entry that is there now, once; one that is looked at goes to the end, for the next look to begin with the others. */
function* inTurn<Value>(map: Map<string, Value>): Generator<[string, Value]> {
  for (let left = map.size; left > 0; left -= 1) {
    const [entry] = map;
    if (!entry) return;
    map.delete(entry[0]);
    map.set(...entry);
    yield entry;
  }
}
