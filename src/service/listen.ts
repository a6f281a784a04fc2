import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerMalformed } from '../api/malformed-requests.ts';

/** Requests that are still under way after this are cut off at shutdown. */
const patienceMs = 12_000;

/** A server that listens; `port` is the real one where 0 asked for any. */
export type Listener = { port: number; stop: () => Promise<void> };

/**
 * Serves HTTP on `host:port`; `name` is the setting that chose the port, for the error when a stranger has it. `stop`
 * accepts nothing new, on kept connections neither, and waits for what is under way.
 */
export const listen = async (
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  { name, host, port }: { name: string; host: string; port: number },
): Promise<Listener> => {
  const underWay = new Set<ServerResponse>();
  const take = (request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    void handler(request, response);
  };
  // What Node would refuse by itself, without a body, is the handler's to refuse.
  const server = createServer({ requireHostHeader: false }, take);
  server.on('checkExpectation', take);
  server.on('clientError', answerMalformed);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw taken
      ? new Error(`Port ${port} is taken by another program. Stop it, or set ${name} to a free port.`)
      : error;
  }
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? port) : port,
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      // Else Node goes on to serve whatever comes over their connections.
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
      const cutOff = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
};
