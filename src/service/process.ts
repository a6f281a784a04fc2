import type { Logger } from '../shared/log.ts';
import { ConfigError } from '../shared/config.ts';

/**
 * Runs a process until it is told to stop: `start` answers what stops it. A second signal changes nothing, for npm hands
 * Ctrl-C on to us after the terminal did. What is wrong with the settings or the surroundings is said in plain lines.
 */
export const runProcess = async (
  start: () => Promise<{ log: Logger; stop: () => Promise<void>; lost?: Promise<string> }>,
) => {
  const signalled = Promise.withResolvers<undefined>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => signalled.resolve(undefined));
  try {
    const { log, stop, lost } = await start();
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'process.unhandled_rejection'));
    const fault = await Promise.race([signalled.promise, ...(lost ? [lost] : [])]);
    if (fault !== undefined) complain(fault);
    await stop();
  } catch (error) {
    complain(error instanceof ConfigError ? error.message : describe(error));
  }
  // What a library has left open must not keep a stopped process alive.
  process.exit();
};

const complain = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
};

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${describe(cause)}` : error.message;
};
