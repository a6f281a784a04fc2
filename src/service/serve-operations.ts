import type { IncomingMessage, ServerResponse } from 'node:http';
import { pickPort } from '../shared/platform/embedded/ports.ts';
import type { Logger } from '../shared/platform/log.ts';
import { listen, PortTakenError, type Listener } from './listen.ts';

/** More ports than this that are taken as soon as they are found free are no coincidence. */
const otherTries = 5;

/**
 * Serves what is for operators on loopback: at `port` (METRICS_PORT), else at a free one, which the log names. Numbers that
 * nobody reads are no reason to end.
 */
export const serveOperations = async (
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  { port, onRefused, log }: { port: number; onRefused?: () => void; log: Logger },
): Promise<Listener> => {
  const at = (candidate: number) =>
    listen(handler, { name: 'METRICS_PORT', host: '127.0.0.1', port: candidate, ...(onRefused && { onRefused }) });
  let candidate = port;
  for (let tries = 0; ; tries += 1) {
    try {
      const listener = await at(candidate);
      if (listener.port !== port) log.warn({ wanted: port, port: listener.port }, 'metrics.port_taken');
      return listener;
    } catch (error) {
      if (!(error instanceof PortTakenError) || tries >= otherTries) throw error;
      candidate = await pickPort();
    }
  }
};
