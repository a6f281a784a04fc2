import { useSyncExternalStore } from 'react';

/** How often relative times are told anew, in ms. */
const tickMs = 10_000;

let now = Date.now();
let clock: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

const tick = (): void => {
  now = Date.now();
  for (const tell of listeners) tell();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (clock === undefined) {
    // It stood still while nothing showed it.
    now = Date.now();
    clock = setInterval(tick, tickMs);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
};

/** The time, in ms since 1970, that moves on every ten seconds: one clock for all that shows it. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
