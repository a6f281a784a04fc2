import type { Store } from '../store.ts';

/** How often the visitor's typing is told, in ms: by all tabs of the browser together. */
const everyMs = 4_000;

/** What the store has of it: when it was told, in ms. */
const key = 'typing';

/** Tells that the visitor types, and once that they do so no more. */
export const createTypingTold =
  (store: Pick<Store, 'get' | 'set' | 'remove'>, tell: (isTyping: boolean) => void) =>
  (isTyping: boolean): void => {
    const now = Date.now();
    const toldAt = Number(store.get(key));
    // A clock may be set back.
    if (isTyping ? Math.abs(now - toldAt) < everyMs : toldAt === 0) return;
    if (isTyping) store.set(key, String(now));
    else store.remove(key);
    tell(isTyping);
  };
