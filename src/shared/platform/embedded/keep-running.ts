import { setTimeout as sleep } from 'node:timers/promises';

/** A server of ours that is started again, with the same addresses and files, whenever it ends by itself. */
export type KeptServer<Server> = {
  /** As the first start answered it. */
  server: Server;
  /** Resolves with the reason when the server does not come back. */
  lost: Promise<string>;
  /** Stops the server. A start that is under way gives up or finishes first. */
  stop(): Promise<void>;
};

export type KeepRunningOptions = {
  name: string;
  /** Takes plain lines for people. */
  log: (line: string) => void;
  /** The pause before each start. After the last one there is no further start. */
  pausesMs?: readonly number[] | undefined;
  /** Gives up the first start. */
  signal?: AbortSignal | undefined;
};

type Startable = { ended: Promise<string>; stop(): Promise<void> };

/** Five starts within a minute: enough for a full disk or memory that somebody is clearing. */
const restartPausesMs = [0, 1_000, 5_000, 10_000, 20_000];

/** A server that ran for so long counts as recovered, in ms. */
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
