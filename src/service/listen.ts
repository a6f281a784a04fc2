import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Requests that are still under way after this are cut off at shutdown. */
const patienceMs = 12_000;

/**
 * Serves HTTP on `host:port`; `name` is the setting that chose the port, for the error when a stranger has it. `stop`
 * accepts nothing new and waits for what is under way.
 */
export const listen = async (
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  { name, host, port }: { name: string; host: string; port: number },
): Promise<{ stop: () => Promise<void> }> => {
  const server = createServer((request, response) => void handler(request, response));
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw taken
      ? new Error(`Port ${port} is taken by another program. Stop it, or set ${name} to a free port.`)
      : error;
  }
  return {
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cutOff = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
};
