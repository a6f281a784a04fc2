import { setTimeout as sleep } from 'node:timers/promises';

/** A server of ours that is started again, on the same addresses and files, whenever it ends by itself. */
export type KeptServer<Server> = {
  /** As the first start answered it. */
  server: Server;
  /** Resolves when it does not come back, with the sentence to tell. */
  lost: Promise<string>;
  /** Stops it; a start that is under way gives up, or comes to its end first. */
  stop(): Promise<void>;
};

export type KeepRunningOptions = {
  name: string;
  /** Takes plain lines for people. */
  log: (line: string) => void;
  /** Before each start; one that follows the last of them is not made. */
  pausesMs?: readonly number[] | undefined;
  /** Gives up the first start. */
  signal?: AbortSignal | undefined;
};

type Startable = { ended: Promise<string>; stop(): Promise<void> };

/** Five starts within a minute: enough for a full disk or memory that somebody is clearing. */
const restartPausesMs = [0, 1_000, 5_000, 10_000, 20_000];

/** One that ran for this long had come back, whatever ends it then. */
const steadyMs = 5_000;

/**
 * Starts a server and keeps it running until `stop`. Rejects when the first start fails, for then the settings are wrong;
 * later ones are tried again. `start` may give up, and throw, when its signal says so.
 */
export async function keepRunning<Server extends Startable>(
  start: (signal: AbortSignal) => Promise<Server>,
  { name, log, pausesMs = restartPausesMs, signal }: KeepRunningOptions,
): Promise<KeptServer<Server>> {
  const stopping = new AbortController();
  let current = start(AbortSignal.any([stopping.signal, ...(signal ? [signal] : [])]));
  const server = await current;
  const lost = Promise.withResolvers<string>();

  const runAgain = async (): Promise<{ ending: string; steady: boolean }> => {
    current = start(stopping.signal);
    try {
      const { ended } = await current;
      const since = performance.now();
      log(`${name} runs again`);
      return { ending: await ended, steady: performance.now() - since >= steadyMs };
    } catch (error) {
      return { ending: error instanceof Error ? error.message : String(error), steady: false };
    }
  };

  const supervise = async (): Promise<void> => {
    let ending = await server.ended;
    let starts = 0;
    while (!stopping.signal.aborted) {
      const pauseMs = pausesMs[starts];
      if (pauseMs === undefined) return lost.resolve(`${name} has ended by itself and does not come back (${ending})`);
      log(`${name} has ended by itself (${ending}): starting it again${pauseMs > 0 ? ` in ${pauseMs / 1000} s` : ''}`);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      const run = await runAgain();
      ending = run.ending;
      starts = run.steady ? 0 : starts + 1;
    }
  };
  const supervising = supervise();

  return {
    server,
    lost: lost.promise,
    stop: async () => {
      stopping.abort();
      const last = await current.catch(() => undefined);
      await last?.stop();
      await supervising;
    },
  };
}
