import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientInterceptors } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import type { Logger } from '../log.ts';
import { orAbort, withDeadline } from '../deadline.ts';
import type { TemporalConnection } from './connect.ts';
import { canStartWorkflows } from './namespace.ts';

export type TemporalLinkDeps = {
  connect: () => Promise<TemporalConnection>;
  /** Creates the workers, which share the connection. Called after each reconnection. */
  createWorkers: (connection: TemporalConnection) => Promise<Worker[]>;
  /** Hears that the workers run, and that they begin to stop: each time, also where a connection is lost. */
  onRun?: () => void;
  onStop?: () => void;
  /** What the client adds to what it asks. */
  interceptors?: ClientInterceptors;
  log: Logger;
};

/** The link of a process to Temporal, which may come and go while the process serves. */
export type TemporalLink = {
  /** The client, once it is connected and the workers run. */
  client: () => Client | undefined;
  /** Whether Temporal answers now and its namespace accepts workflows. */
  answers: () => Promise<boolean>;
  workersRunning: () => boolean;
  /** Lets the workers drain, then closes. Safe to call again. */
  stop: () => Promise<void>;
};

const firstPauseMs = 250;
const longestPauseMs = 5_000;
const healthDeadlineMs = 2_000;

/**
 * Connects and runs the workers, and does so again after each failure until it is stopped. While Temporal is away, the API accepts requests and
 * the database keeps the work.
 */
export const linkTemporal = ({
  connect,
  createWorkers,
  onRun = () => {},
  onStop = () => {},
  interceptors = {},
  log,
}: TemporalLinkDeps): TemporalLink => {
  const stopping = new AbortController();
  let linked: { temporal: TemporalConnection; client: Client; workers: Worker[] } | undefined;

  const close = async ({ connection }: TemporalConnection): Promise<void> => {
    // It must not hide why it is closed.
    await connection.close().catch((error: unknown) => log.warn({ err: error }, 'temporal.unclosed'));
  };

  /** Nothing bounds how long a server takes to refuse. */
  const connectInTime = async (): Promise<TemporalConnection> => {
    const connecting = connect();
    try {
      return await orAbort(connecting, stopping.signal);
    } catch (error) {
      void connecting.then(close, () => {});
      throw error;
    }
  };

  const runOnce = async (): Promise<void> => {
    const temporal = await connectInTime();
    try {
      const workers = await createWorkers(temporal);
      linked = { temporal, client: new Client({ ...temporal, interceptors }), workers };
      log.info({ queues: workers.map(({ options }) => options.taskQueue) }, 'temporal.connected');
      onRun();
      await runWorkers(workers, { signal: stopping.signal, onStop });
    } finally {
      linked = undefined;
      await close(temporal);
    }
  };

  const loop = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      const sinceMs = performance.now();
      try {
        await runOnce();
      } catch (error) {
        if (error === stopping.signal.reason) return;
        if (stopping.signal.aborted) log.warn({ err: error }, 'temporal.stopped');
        else log.warn({ reason: firstLine(error), retry_in_ms: pauseMs }, 'temporal.unavailable');
      }
      pauseMs = performance.now() - sinceMs > 60_000 ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const ended = loop();

  return {
    client: () => linked?.client,
    workersRunning: () => linked?.workers.every((worker) => worker.getState() === 'RUNNING') ?? false,
    answers: async () => {
      const { client, temporal } = linked ?? {};
      if (!client || !temporal) return false;
      return withDeadline(healthDeadlineMs, 'asking Temporal', () => canStartWorkflows(temporal)).catch(() => false);
    },
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};

/** The first line of an error of connecting, which names the cause. The rest is pages about the transport. */
const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';

/** Resolves when all workers have drained after `signal`. Rejects, with all of them stopped, when one fails. */
const runWorkers = async (
  workers: Worker[],
  { signal, onStop }: { signal: AbortSignal; onStop: () => void },
): Promise<void> => {
  const shutdown = (): void => {
    onStop();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  signal.addEventListener('abort', shutdown, { once: true });
  const runs = workers.map((worker) => worker.run().finally(shutdown));
  if (signal.aborted) shutdown();
  try {
    await Promise.all(runs);
  } finally {
    await Promise.allSettled(runs);
    signal.removeEventListener('abort', shutdown);
  }
};
