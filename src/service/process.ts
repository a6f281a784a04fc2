import type { Logger } from '../shared/platform/log.ts';
import { ConfigError } from '../shared/platform/config.ts';

/** A process at work: what stops it, and the sentence to tell when it cannot go on. */
export type Running = { log: Logger; stop: () => Promise<void>; lost?: Promise<string> };

/**
 * Runs a process until it is told to stop: `start` answers what stops it. One that is told so while it starts ends as well:
 * `start` may give up by throwing the reason of `signal`. A second signal changes nothing, for npm hands Ctrl-C on to us after
 * the terminal did. What is wrong with the settings or the surroundings is said in plain lines.
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
  // What a library has left open must not keep a stopped process alive.
  process.exit();
};

const complain = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
};

const describe = (error: unknown): string => {
  // What failed first is the cause; that cleaning up failed as well comes on top.
  if (error instanceof SuppressedError) return `${describe(error.suppressed)}; then ${describe(error.error)}`;
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${describe(cause)}` : error.message;
};
