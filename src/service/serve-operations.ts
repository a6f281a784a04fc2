import type { IncomingMessage, ServerResponse } from 'node:http';
import { pickPort } from '../shared/platform/embedded/ports.ts';
import type { Logger } from '../shared/platform/log.ts';
import { listen, PortTakenError, type Listener } from './listen.ts';

/** The most tries. More free ports that are taken at once are no coincidence. */
const otherTries = 5;

/**
 * Serves the operator's pages on loopback, at `port` (METRICS_PORT), or at a free one where that is taken; the log names it. A taken
 * port is no reason for the process to end.
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
