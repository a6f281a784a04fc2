import { createBulkhead, type Lane } from '../bulkhead/bulkhead.ts';

/** Bounds the first attempts that run inside workflow tasks. Each of them holds a task slot for as long as its POST takes. */
export type FirstAttempts = {
  /**
   * Takes a place and answers `local`; `release` gives it back. Where the webhook, its account or the process has its share under
   * way, it waits, and answers `ordinary` when no place came free for long, or those that did had been held for long: a receiver that hangs holds
   * up nobody.
   */
  take: (deliveryId: string, lane: Lane) => Promise<'local' | 'ordinary'>;
  /** Takes a place if there is one now. */
  takeNow: (deliveryId: string, lane: Lane) => boolean;
  /** Gives a place back because its workflow may begin in another process. A place that an attempt has entered stays taken. */
  forgo: (deliveryId: string) => void;
  /** The attempt enters the place that its start took, or a free one. False when there is none. */
  enter: (deliveryId: string, lane: Lane) => boolean;
  /** Whether most attempts that hold a key's places have not begun: Temporal is slow, and not the receiver. */
  waitForTemporal: (lane: Lane) => boolean;
  /** Whether places of a key come free soon enough to wait for one. */
  turnsOver: (lane: Lane) => boolean;
  /** Answers `ordinary` to all that wait, and from now on to all that would. */
  turnAway: () => void;
  /** Whether a delivery has a place. */
  holds: (deliveryId: string) => boolean;
  /** Gives a place back. Does nothing for a delivery that has none. */
  release: (deliveryId: string) => void;
};

export type FirstAttemptsOptions = {
  /** The most places of one webhook. `createBulkhead` says how places are shared. */
  perKey?: number;
  /** Places of all webhooks together. */
  total?: number;
  /** How long a delivery waits for a place, in ms: longer while places of its webhook come free that were held for less than that. */
  patienceMs?: number;
  /** A place is given back after so many ms, because its workflow went to another process or died before its attempt. */
  forgottenAfterMs?: number;
};

type Waiter = { deliveryId: string; lane: Lane; answer: (place: 'local' | 'ordinary') => void };

/** The most webhooks of which it is known how long they hold their places. */
const knownAtMost = 10_000;

/**
 * Deliveries of a busy webhook wait for a place, because an ordinary attempt costs twice as much: when there is more to do than this process can,
 * that would be even less. Ids are UUIDs.
 */
export const createFirstAttempts = ({
  perKey = 64,
  total = 300,
  patienceMs = 3_000,
  forgottenAfterMs = 30_000,
}: FirstAttemptsOptions = {}): FirstAttempts => {
  const places = createBulkhead({ total, perKey });
  const taken = new Map<string, { lane: Lane; at: number; entered: boolean }>();
  /** How many attempts of each key have begun. */
  const entered = new Map<string, number>();

  /** Of each key, when its last place was given back, and for how long it had been held, in ms. */
  const givenBack = new Map<string, { atMs: number; heldMs: number }>();

  const noteGivenBack = (key: string, sinceMs: number): void => {
    const atMs = performance.now();
    givenBack.delete(key);
    givenBack.set(key, { atMs, heldMs: atMs - sinceMs });
    const [oldest] = givenBack.keys();
    if (givenBack.size > knownAtMost && oldest !== undefined) givenBack.delete(oldest);
  };

  const turnsOver = ({ key }: Lane): boolean => {
    const last = givenBack.get(key);
    return last !== undefined && last.heldMs < patienceMs && performance.now() - last.atMs < patienceMs;
  };

  const leave = ({ key }: Lane): void => {
    const left = (entered.get(key) ?? 0) - 1;
    if (left > 0) entered.set(key, left);
    else entered.delete(key);
  };

  /** Who waits, by account and webhook. Whoever was looked at last stands at the end. */
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
    noteGivenBack(place.lane.key, place.at);
    if (place.entered) leave(place.lane);
    places.release(place.lane);
    return true;
  };

  const forget = (): void => {
    // A Map keeps the order of insertion, so the oldest come first.
    for (const [deliveryId, { at }] of taken) {
      if (at > performance.now() - forgottenAfterMs) return;
      vacate(deliveryId);
    }
  };

  let turnsAway = false;

  const wait = async (deliveryId: string, lane: Lane): Promise<'local' | 'ordinary'> => {
    if (turnsAway) return 'ordinary';
    return new Promise((resolve) => {
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
      const lose = (): void => {
        if (turnsOver(lane)) patience = setTimeout(lose, patienceMs);
        else waiter.answer('ordinary');
      };
      let patience = setTimeout(lose, patienceMs);
      const lines = waiting.get(accountId) ?? new Map<string, Set<Waiter>>();
      waiting.set(accountId, lines);
      lines.set(key, (lines.get(key) ?? new Set()).add(waiter));
    });
  };

  /**
   * Gives free places to those that wait: each webhook's oldest before any webhook's second. It looks only into accounts that have
   * room, so that its cost does not grow with the number of those that wait.
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
      // A delivery that has a place is being started a second time. The place belongs to the first start.
      if (taken.has(deliveryId)) return 'ordinary';
      return occupy(deliveryId, lane) ? 'local' : wait(deliveryId, lane);
    },
    takeNow: (deliveryId, lane) => {
      forget();
      return !taken.has(deliveryId) && occupy(deliveryId, lane);
    },
    forgo: (deliveryId) => {
      if (!taken.get(deliveryId)?.entered) release(deliveryId);
    },
    enter: (deliveryId, lane) => {
      forget();
      if (!taken.has(deliveryId) && !occupy(deliveryId, lane)) return false;
      const place = taken.get(deliveryId);
      if (!place || place.entered) return true;
      place.entered = true;
      entered.set(lane.key, (entered.get(lane.key) ?? 0) + 1);
      return true;
    },
    waitForTemporal: (lane) => 2 * (entered.get(lane.key) ?? 0) < places.usualOf(lane),
    turnsOver,
    turnAway: () => {
      turnsAway = true;
      const waiters = [...waiting.values()].flatMap((lines) => [...lines.values()].flatMap((line) => [...line]));
      for (const { answer } of waiters) answer('ordinary');
    },
    holds: (deliveryId) => taken.has(deliveryId),
    release,
  };
};

/** Each entry that is there now, once. An entry that was looked at goes to the end, so that the next look begins with the others. */
function* inTurn<Value>(map: Map<string, Value>): Generator<[string, Value]> {
  for (let left = map.size; left > 0; left -= 1) {
    const [entry] = map;
    if (!entry) return;
    map.delete(entry[0]);
    map.set(...entry);
    yield entry;
  }
}
