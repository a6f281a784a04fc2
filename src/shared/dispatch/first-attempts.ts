/** Bounds the first attempts that run inside workflow tasks, each of which holds a slot for as long as its POST takes. */
export type FirstAttempts = {
  /**
   * `local` takes a place, to be given back by `release`, and waits a little for one where the webhook, or the process, has
   * its share under way. `ordinary` when none came free: a receiver that hangs holds up nobody's deliveries for long.
   */
  take: (deliveryId: string, webhookId: string) => Promise<'local' | 'ordinary'>;
  /** Gives a place back; of a delivery that has none, nothing. */
  release: (deliveryId: string) => void;
};

export type FirstAttemptsOptions = {
  /** Places of one webhook. */
  perWebhook?: number;
  /** Places of all webhooks together. */
  total?: number;
  /** How long a delivery waits for a place. */
  patienceMs?: number;
  /** A place is forgotten after this long: its workflow went to another process, or died before its attempt. */
  forgottenAfterMs?: number;
};

type Waiter = { deliveryId: string; webhookId: string; answer: (place: 'local' | 'ordinary') => void };

/** A busy webhook's deliveries wait rather than become dearer ones; ids are UUIDs. */
export const createFirstAttempts = ({
  perWebhook = 64,
  total = 300,
  patienceMs = 3_000,
  forgottenAfterMs = 30_000,
}: FirstAttemptsOptions = {}): FirstAttempts => {
  const places = new Map<string, { webhookId: string; at: number }>();
  const taken = new Map<string, number>();
  const waiters = new Set<Waiter>();

  const isFree = (webhookId: string): boolean => (taken.get(webhookId) ?? 0) < perWebhook && places.size < total;

  const occupy = (deliveryId: string, webhookId: string): void => {
    places.set(deliveryId, { webhookId, at: Date.now() });
    taken.set(webhookId, (taken.get(webhookId) ?? 0) + 1);
  };

  const vacate = (deliveryId: string): boolean => {
    const place = places.get(deliveryId);
    if (!place) return false;
    places.delete(deliveryId);
    const left = (taken.get(place.webhookId) ?? 1) - 1;
    if (left === 0) taken.delete(place.webhookId);
    else taken.set(place.webhookId, left);
    return true;
  };

  const forget = (): void => {
    // A Map keeps the order of insertion: the oldest come first.
    for (const [deliveryId, { at }] of places) {
      if (at > Date.now() - forgottenAfterMs) return;
      vacate(deliveryId);
    }
  };

  const wait = (deliveryId: string, webhookId: string): Promise<'local' | 'ordinary'> =>
    new Promise((resolve) => {
      const waiter: Waiter = {
        deliveryId,
        webhookId,
        answer: (place) => {
          clearTimeout(patience);
          waiters.delete(waiter);
          resolve(place);
        },
      };
      const patience = setTimeout(() => waiter.answer('ordinary'), patienceMs);
      waiters.add(waiter);
    });

  return {
    take: async (deliveryId, webhookId) => {
      forget();
      // One that has a place already is being started for the second time: the first start has it.
      if (places.has(deliveryId)) return 'ordinary';
      if (!isFree(webhookId)) return wait(deliveryId, webhookId);
      occupy(deliveryId, webhookId);
      return 'local';
    },
    release: (deliveryId) => {
      if (!vacate(deliveryId)) return;
      for (const waiter of waiters) {
        if (!isFree(waiter.webhookId)) continue;
        occupy(waiter.deliveryId, waiter.webhookId);
        waiter.answer('local');
        return;
      }
    },
  };
};
