/** Bounds the first attempts that run inside workflow tasks, each of which holds a slot for as long as its POST takes. */
export type FirstAttempts = {
  /** `local` takes a place until `release`; `ordinary` when the webhook, or the process, has its share under way. */
  place: (deliveryId: string, webhookId: string) => 'local' | 'ordinary';
  /** Gives a place back; of a delivery that has none, nothing. */
  release: (deliveryId: string) => void;
};

/** A place is forgotten after this long: its workflow went to another process, or died before its attempt. */
const forgottenAfterMs = 30_000;

/** One hanging receiver may hold `perWebhook` places, all of them together `total`. */
export const createFirstAttempts = ({ perWebhook = 64, total = 300, now = Date.now } = {}): FirstAttempts => {
  const places = new Map<string, { webhookId: string; at: number }>();
  const taken = new Map<string, number>();
  const release = (deliveryId: string): void => {
    const place = places.get(deliveryId);
    if (!place) return;
    places.delete(deliveryId);
    const left = (taken.get(place.webhookId) ?? 1) - 1;
    if (left === 0) taken.delete(place.webhookId);
    else taken.set(place.webhookId, left);
  };
  const forget = (): void => {
    // A Map keeps the order of insertion: the oldest come first.
    for (const [deliveryId, { at }] of places) {
      if (at > now() - forgottenAfterMs) return;
      release(deliveryId);
    }
  };
  return {
    place: (deliveryId, webhookId) => {
      forget();
      const ofWebhook = taken.get(webhookId) ?? 0;
      if (ofWebhook >= perWebhook || places.size >= total || places.has(deliveryId)) return 'ordinary';
      places.set(deliveryId, { webhookId, at: now() });
      taken.set(webhookId, ofWebhook + 1);
      return 'local';
    },
    release,
  };
};
