import { useSyncExternalStore } from 'react';

let hasStream = true;
const listeners = new Set<() => void>();

/** Notes whether the server tells this page of changes. */
export const noteStream = (has: boolean): void => {
  if (has === hasStream) return;
  hasStream = has;
  for (const tell of listeners) tell();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the server tells this page of changes. A stream that has yet to begin counts, too. */
export const useHasStream = (): boolean => useSyncExternalStore(subscribe, () => hasStream);
