import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of one request: how long it waits, in ms, and whether it or its answer is cut off. */
export type Fate = { waitMs: number; cut: 'request' | 'answer' | undefined };

export type CuttingProxy = {
  url: string;
  /** Cuts off the streams that are open. */
  cutStreams: () => void;
  stop: () => Promise<void>;
};

/** A server between browsers and Parley that is slow and cuts off what `fateOf` says, by method and path. */
export const startCuttingProxy = async (
  target: string,
  fateOf: (method: string, path: string) => Fate,
): Promise<CuttingProxy> => {
  const { hostname, port, host } = new URL(target);
  const streams = new Set<ServerResponse>();
  let ownUrl = '';
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
        const own = { ...headers, host, ...(headers.origin === ownUrl && { origin: target }) };
        const passed = request({ hostname, port, method, path, headers: own }, (answer) => {
          if (cut === 'answer') {
            answer.resume();
            outgoing.destroy();
            return;
          }
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          if (answer.headers['content-type']?.startsWith('text/event-stream')) {
            // Its first bytes may come much later.
            outgoing.flushHeaders();
            streams.add(outgoing);
            outgoing.once('close', () => streams.delete(outgoing));
          }
          answer.on('error', () => outgoing.destroy());
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
  ownUrl = `http://127.0.0.1:${own}`;
  return {
    url: ownUrl,
    cutStreams: () => {
      for (const stream of streams) stream.destroy();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
