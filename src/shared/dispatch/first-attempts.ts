import { createPlaces, type Holder } from './places.ts';

/** Bounds the first attempts that run inside workflow tasks, each of which holds a slot for as long as its POST takes. */
export type FirstAttempts = {
  /**
   * `local` takes a place, to be given back by `release`, and waits a little for one where the webhook, its account, or the
   * process has its share under way. `ordinary` when none came free: a receiver that hangs holds up nobody's deliveries
   * for long.
   */
  take: (deliveryId: string, holder: Holder) => Promise<'local' | 'ordinary'>;
  /** Gives a place back whose workflow may begin in any process, unless its attempt has entered here meanwhile. */
  forgo: (deliveryId: string) => void;
  /** Begins the attempt, in the place that its start took or in one that is free; false when there is none. */
  enter: (deliveryId: string, holder: Holder) => boolean;
  /** Gives a place back; of a delivery that has none, nothing. */
  release: (deliveryId: string) => void;
};

export type FirstAttemptsOptions = {
  /** Places of one webhook at most; how they are shared says `createPlaces`. */
  perWebhook?: number;
  /** Places of all webhooks together. */
  total?: number;
  /** How long a delivery waits for a place. */
  patienceMs?: number;
  /** A place is forgotten after this long: its workflow went to another process, or died before its attempt. */
  forgottenAfterMs?: number;
};

type Waiter = { deliveryId: string; holder: Holder; answer: (place: 'local' | 'ordinary') => void };

/** A busy webhook's deliveries wait rather than become dearer ones; ids are UUIDs. */
export const createFirstAttempts = ({
  perWebhook = 64,
  total = 300,
  patienceMs = 3_000,
  forgottenAfterMs = 30_000,
}: FirstAttemptsOptions = {}): FirstAttempts => {
  const places = createPlaces({ total, perWebhook });
  const taken = new Map<string, { holder: Holder; at: number; entered: boolean }>();
  /** By webhook, the one that was served last at the end. */
  const waiting = new Map<string, Set<Waiter>>();

  const occupy = (deliveryId: string, holder: Holder): boolean => {
    if (!places.take(holder)) return false;
    taken.set(deliveryId, { holder, at: performance.now(), entered: false });
    return true;
  };

  const vacate = (deliveryId: string): boolean => {
    const place = taken.get(deliveryId);
    if (!place) return false;
    taken.delete(deliveryId);
    places.release(place.holder);
    return true;
  };

  const forget = (): void => {
    // A Map keeps the order of insertion: the oldest come first.
    for (const [deliveryId, { at }] of taken) {
      if (at > performance.now() - forgottenAfterMs) return;
      vacate(deliveryId);
    }
  };

  const wait = (deliveryId: string, holder: Holder): Promise<'local' | 'ordinary'> =>
    new Promise((resolve) => {
      const { webhookId } = holder;
      const waiter: Waiter = {
        deliveryId,
        holder,
        answer: (place) => {
          clearTimeout(patience);
          const line = waiting.get(webhookId);
          line?.delete(waiter);
          if (line?.size === 0) waiting.delete(webhookId);
          resolve(place);
        },
      };
      const patience = setTimeout(() => waiter.answer('ordinary'), patienceMs);
      const line = waiting.get(webhookId);
      if (line) line.add(waiter);
      else waiting.set(webhookId, new Set([waiter]));
    });

  /** Each webhook's oldest has its turn before any webhook has its second. */
  const serveWaiting = (): void => {
    // Of those that wait now: who goes to the end of the line would else be met again.
    for (const webhookId of Array.from(waiting.keys())) {
      const line = waiting.get(webhookId);
      const [next] = line ?? [];
      if (!line || !next || !occupy(next.deliveryId, next.holder)) continue;
      waiting.delete(webhookId);
      waiting.set(webhookId, line);
      next.answer('local');
    }
  };

  const release = (deliveryId: string): void => {
    if (vacate(deliveryId)) serveWaiting();
  };

  return {
    take: async (deliveryId, holder) => {
      forget();
      // One that has a place already is being started for the second time: the first start has it.
      if (taken.has(deliveryId)) return 'ordinary';
      return occupy(deliveryId, holder) ? 'local' : wait(deliveryId, holder);
    },
    forgo: (deliveryId) => {
      if (!taken.get(deliveryId)?.entered) release(deliveryId);
    },
    enter: (deliveryId, holder) => {
      forget();
      if (!taken.has(deliveryId) && !occupy(deliveryId, holder)) return false;
      const place = taken.get(deliveryId);
      if (place) place.entered = true;
      return true;
    },
    release,
  };
};
