import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { isPortFree } from './ports.ts';

/**
 * Ports that no browser connects to (port blocking of the Fetch standard), as far as an ordinary user may listen on them. Temporal's UI
 * takes any name in `Host`, so a page whose own name leads to this machine could act as the UI does: it listens on one of these.
 */
export const portsWithoutBrowsers = [
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080, 4190, 6566, 5061, 5060, 3659, 4045, 1719, 1720, 1723, 2049, 6000,
] as const;

/** A free one of those ports, any of them, that is not in `tried`; undefined when there is none. */
export async function findPortWithoutBrowsers(tried: ReadonlySet<number>): Promise<number | undefined> {
  const first = randomInt(portsWithoutBrowsers.length);
  for (const port of [...portsWithoutBrowsers.slice(first), ...portsWithoutBrowsers.slice(0, first)]) {
    if (!tried.has(port) && (await isPortFree(port))) return port;
  }
  return undefined;
}

/** A name of this machine that needs no look-up, with any port: an SSH tunnel brings its own. */
const ownName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** A page of workflows is answered in well under a second; a server that says nothing for longer has a fault. In ms. */
const patienceMs = 30_000;

/** Serves the UI at `behind`, where there is one, on the loopback port `port`, to those who ask for it by a name of this machine. */
export async function serveUi({
  port,
  behind,
}: {
  port: number;
  behind: number | undefined;
}): Promise<{ close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    if (!ownName.test(incoming.headers.host ?? '') || !incoming.url?.startsWith('/')) {
      outgoing
        .writeHead(403, { 'content-type': 'text/plain' })
        .end('This is served as localhost and 127.0.0.1 only.\n');
      return;
    }
    if (behind === undefined) outgoing.writeHead(503, { 'content-type': 'text/plain' }).end('There is no UI.\n');
    else pass(incoming, outgoing, behind);
  });
  server.maxConnections = 256;
  server.requestTimeout = patienceMs;
  await listen(server, port);
  return {
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const { method, url: path, headers } = incoming;
  const passed = request({ host: '127.0.0.1', port, method, path, headers, timeout: patienceMs });
  const fail = (): void => {
    passed.destroy();
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end("Temporal's UI does not answer.\n");
  };
  passed.once('error', fail);
  passed.once('timeout', fail);
  passed.once('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    // Either side may go away in the middle; then so does the other.
    pipeline(answer, outgoing, () => {});
  });
  outgoing.once('close', () => passed.destroy());
  incoming.pipe(passed);
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
