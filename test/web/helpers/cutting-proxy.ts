import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of one request: how long it waits, in ms, and whether it or its answer is cut off. */
export type Fate = { waitMs: number; cut: 'request' | 'answer' | undefined };

/** A server between browsers and the dashboard that is slow and cuts off what `fateOf` says, by method and path. */
export const startCuttingProxy = async (
  target: string,
  fateOf: (method: string, path: string) => Fate,
): Promise<{ url: string; stop: () => Promise<void> }> => {
  const { hostname, port, host } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const { waitMs, cut } = fateOf(method, path);
    const body: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => body.push(chunk));
    incoming.on('end', () =>
      setTimeout(() => {
        if (cut === 'request') {
          outgoing.destroy();
          return;
        }
        const own = { ...headers, host, ...(headers.origin !== undefined && { origin: target }) };
        const passed = request({ hostname, port, method, path, headers: own }, (answer) => {
          if (cut === 'answer') {
            answer.resume();
            outgoing.destroy();
            return;
          }
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        passed.on('error', () => outgoing.destroy());
        outgoing.on('close', () => passed.destroy());
        passed.end(Buffer.concat(body));
      }, waitMs),
    );
    incoming.on('error', () => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address.
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
