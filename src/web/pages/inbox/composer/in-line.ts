import { isTemporary } from '../../../api/failure.ts';

/** The waits before further tries, in ms: a service that starts again is there by then. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000, 8_000];

/** The window: it hears `online`. */
type Network = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** Resolves after so many ms, or as soon as the network is back. */
const pause = (network: Network, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      network.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    network.addEventListener('online', end);
  });

/** Does something that may be done again until it succeeds, for a minute at most. Rejects as the last try does. */
export const insist = async (network: Network, work: () => Promise<unknown>): Promise<void> => {
  for (const ms of pausesMs) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await pause(network, ms);
    }
  }
  await work();
};

const lines = new Map<string, Promise<void>>();

/** Does what is given for one conversation one after the other, in the order in which it was given. `work` does not reject. */
export const inLine = (conversationId: string, work: () => Promise<void>): Promise<void> => {
  const before = lines.get(conversationId);
  const doInTurn = async (): Promise<void> => {
    await before;
    await work();
    if (lines.get(conversationId) === done) lines.delete(conversationId);
  };
  const done = doInTurn();
  lines.set(conversationId, done);
  return done;
};
