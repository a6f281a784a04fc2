import type { Logger } from '../shared/platform/log.ts';
import { ConfigError } from '../shared/platform/config.ts';

/** A running process: what stops it, and the error that tells why it cannot go on. */
export type Running = { log: Logger; stop: () => Promise<void>; lost?: Promise<string> };

/**
 * Runs a process until a signal tells it to stop; `start` answers what stops it. A process that is told to stop while it starts ends as
 * well: `start` may give up by throwing the reason of `signal`. A second signal changes nothing, because npm passes Ctrl-C on after
 * the terminal did. Wrong settings and surroundings are reported in plain lines.
 */
export const runProcess = async (start: (signal: AbortSignal) => Promise<Running>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const signalled = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  try {
    const { log, stop, lost } = await start(signal);
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'process.unhandled_rejection'));
    const fault = await Promise.race([signalled, ...(lost ? [lost] : [])]);
    if (fault !== undefined) complain(fault);
    await stop();
  } catch (error) {
    if (error !== signal.reason) complain(error instanceof ConfigError ? error.message : describe(error));
  }
  // Something that a library has left open must not keep a stopped process alive.
  process.exit();
};

const complain = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
};

const describe = (error: unknown): string => {
  // The first failure is the cause; a failure to clean up is added to it.
  if (error instanceof SuppressedError) return `${describe(error.suppressed)}; then ${describe(error.error)}`;
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${describe(cause)}` : error.message;
};
