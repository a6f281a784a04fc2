import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.ts';

/** How the server is reached: `offline` as the browser says itself, `away` where requests get no answer. */
export type Connection = { state: 'there' | 'offline' | 'away'; answeredAt: number };

/** The pauses between two questions whether the server is there again, in ms. */
const pauses = [1_000, 2_000, 4_000, 8_000] as const;
const longestMs = 10_000;

let connection: Connection = { state: 'there', answeredAt: Date.now() };
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

const set = (state: Connection['state'], answeredAt = connection.answeredAt): void => {
  const isNews = state !== connection.state;
  connection = { state, answeredAt };
  if (isNews) for (const tell of listeners) tell();
};

/** Whether the server answers now. */
export const isAnswering = async (): Promise<boolean> => {
  try {
    return (await fetch('/health/live', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
};

/** The server has answered a request. One that was answered just before the browser went offline is no news. */
export const noteAnswer = (): void => {
  if (connection.state !== 'offline') comeBack();
};

/** The server answers: what could not be loaded until then is asked for again. */
const comeBack = (): void => {
  const wasAway = connection.state !== 'there';
  clearTimeout(timer);
  timer = undefined;
  set('there', Date.now());
  if (wasAway) void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
};

/** A request got no answer: the server is asked from time to time until it answers. */
export const noteSilence = (): void => {
  set(navigator.onLine ? 'away' : 'offline');
  if (timer === undefined) ask(0);
};

const ask = (time: number): void => {
  timer = setTimeout(() => void askNow(time), pauses[time] ?? longestMs);
};

const askNow = async (time: number): Promise<void> => {
  const isThere = await isAnswering();
  // Something else may have been answered meanwhile.
  if (timer === undefined) return;
  if (isThere) comeBack();
  else ask(time + 1);
};

addEventListener('offline', noteSilence);
addEventListener('online', () => {
  clearTimeout(timer);
  ask(0);
});

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the server is reached, and when it last answered. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/** Does this once the server answers again. Answers what forgets it. */
export const whenThere = (then: () => void): (() => void) =>
  subscribe(() => {
    if (connection.state === 'there') then();
  });
