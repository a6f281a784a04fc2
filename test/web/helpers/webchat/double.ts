import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { buildWebchat } from '../../../../scripts/build-webchat.ts';
import { createTable, proofOf, type Visitor } from './table.ts';

/** What becomes of one request: how long it waits, in ms or for what, whether it or its answer is cut off, or which status it gets instead. */
export type Fate = {
  waitMs?: number;
  until?: Promise<unknown>;
  cut?: 'request' | 'answer';
  status?: 400 | 404 | 429 | 500 | 503;
};

export type DoubleOptions = {
  config?: Record<string, unknown>;
  /** Each request of a visitor's; a stream's events are asked for as `EVENT`. */
  fateOf?: (method: string, route: string) => Fate;
};

export const channel = 'chn_test';

/** A server with the visitors' routes of the contract over a table in memory, and with the built files. */
export const startDouble = async (options: DoubleOptions = {}) => {
  const folder = await buildWebchat();
  const files = await readdir(folder);
  const table = createTable();
  let fateOf: NonNullable<DoubleOptions['fateOf']> = options.fateOf ?? (() => ({}));
  let config = { ...standard, ...options.config };
  const asked: string[] = [];
  const streams = new Set<ServerResponse>();
  const openStreams = new Map<Visitor, Set<ServerResponse>>();

  const answer = (response: ServerResponse, status: number, body?: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };

  const follow = (visitor: Visitor, query: URLSearchParams, response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': here\n\n');
    let after = Number(query.get('after'));
    // A connection delays what it carries, and changes no order.
    let carried = Promise.resolve();
    const id = visitor.conversation?.id ?? null;
    const push = (event: string, body: unknown): void => {
      const { waitMs = 0, cut } = fateOf('EVENT', event);
      const text = `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
      const before = carried;
      carried = (async () => {
        await before;
        if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
        if (cut) response.destroy();
        else response.write(text);
      })();
    };
    const hear = (changed: Visitor, typingOnly: boolean): void => {
      if (changed !== visitor) return;
      if (typingOnly) return push('typing', visitor.typing);
      if ((visitor.conversation?.id ?? null) !== id || after > visitor.revision) return push('reset', {});
      const changes = table.since(visitor, after, 1_000);
      after = changes.revision;
      return push('changes', changes);
    };
    table.listeners.add(hear);
    streams.add(response);
    const own = openStreams.get(visitor) ?? new Set();
    openStreams.set(visitor, own.add(response));
    response.on('close', () => {
      table.listeners.delete(hear);
      streams.delete(response);
      own.delete(response);
    });
    const asksOther = query.has('conversation') && query.get('conversation') !== id;
    if (asksOther || after > visitor.revision) push('reset', {});
    else if (visitor.revision > after) hear(visitor, false);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://double');
    const { method = 'GET' } = request;
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
    if (method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Headers', 'content-type, x-visitor-token');
      response.setHeader('Access-Control-Max-Age', '600');
      response.setHeader('Access-Control-Expose-Headers', 'retry-after');
      response.writeHead(204).end();
      return;
    }
    const begin = `/webchat/${channel}`;
    const file = pathname === `${begin}.js` ? 'loader.js' : files.find((name) => pathname === `${begin}/${name}`);
    const route = pathname.slice(begin.length + 1);
    const given = method === 'POST' ? ((await json(request)) as Record<string, unknown>) : {};
    asked.push(`${method} ${file ?? route}`);
    const { waitMs = 0, until, cut, status } = fateOf(method, file ?? route);
    await until;
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
    if (cut === 'request') return void response.destroy();
    response.setHeader('Access-Control-Expose-Headers', 'retry-after');
    if (status !== undefined) {
      const headers: Record<string, string> = status === 429 || status === 503 ? { 'Retry-After': '1' } : {};
      return answer(response, status, { error: { code: 'x', message: 'Not now.' } }, headers);
    }
    if (cut === 'answer') {
      response.end = (() => response.destroy()) as typeof response.end;
    }
    if (file) {
      response.writeHead(200, { 'Content-Type': 'text/javascript' });
      response.end(await readFile(join(folder, file)));
      return undefined;
    }
    if (route === 'config') return answer(response, 200, config);
    const token = request.headers['x-visitor-token'];
    const visitor = typeof token === 'string' ? table.visitors.get(token) : undefined;
    if (token !== undefined && !visitor) return answer(response, 401, { error: { code: 'x', message: 'Unknown.' } });
    if (route === 'messages') return takeMessage(response, given, visitor);
    if (route === 'identify') {
      const id = String(given['external_id']);
      if (given['hash'] !== proofOf(id)) return answer(response, 403, { error: { code: 'x', message: 'Wrong hash.' } });
      const known = [...table.visitors].find(([, { externalId }]) => externalId === id);
      return answer(response, 200, { visitor_token: known?.[0] ?? table.create(id).token });
    }
    if (route === 'return') {
      // The token of a link is that of the visitor.
      const link = String(given['token']);
      if (!table.visitors.has(link)) return answer(response, 403, { error: { code: 'x', message: 'Used.' } });
      return answer(response, 200, { visitor_token: link });
    }
    if (!visitor) return answer(response, 401, { error: { code: 'x', message: 'Who are you?' } });
    if (route === 'changes') {
      const id = query.get('conversation');
      const after = Number(query.get('after') ?? 0);
      const isSame = after > 0 && id === visitor.conversation?.id;
      return answer(response, 200, isSame ? table.since(visitor, after) : table.latest(visitor, query.get('before')));
    }
    if (route === 'stream') return follow(visitor, query, response);
    if (route === 'read') table.read(visitor, Number(given['revision']));
    response.writeHead(204).end();
    return undefined;
  };

  const takeMessage = (response: ServerResponse, given: Record<string, unknown>, known: Visitor | undefined): void => {
    const clientId = String(given['client_id']);
    // A stranger whose first acknowledgement is lost sends it again, and gets the token of the visitor that it has made.
    const made = [...table.visitors].find(([, { rows }]) => rows.some((row) => row.client_id === clientId));
    const before = (known ?? made?.[1])?.rows.find((row) => row.client_id === clientId);
    const created = known || made ? undefined : table.create(null);
    const visitor = known ?? made?.[1] ?? created?.visitor;
    if (!visitor) throw new Error('There is a visitor');
    const message =
      before ?? table.add(visitor, { client_id: clientId, text: String(given['text']), direction: 'visitor' });
    const token = known ? {} : { visitor_token: created?.token ?? made?.[0] };
    answer(response, before ? 200 : 201, { ...token, message, revision: visitor.revision });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    table,
    /** Methods and routes of all requests, in their order. */
    asked,
    script: `${url}/webchat/${channel}.js`,
    streamsOf: (visitor: Visitor): number => openStreams.get(visitor)?.size ?? 0,
    cutStreams: () => {
      for (const stream of streams) stream.destroy();
    },
    setConfig: (fields: Record<string, unknown>) => {
      config = { ...config, ...fields };
    },
    setFate: (fate: NonNullable<DoubleOptions['fateOf']>) => {
      fateOf = fate;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const standard = {
  title: 'Shirts & Co',
  greeting: 'Hi! How can we help?',
  color: '#4f46e5',
  position: 'right',
  texts: { hours: 'Mon to Fri, 9:00 to 17:00' },
  require_identity: false,
  limits: { text: 10_000 },
};

export type Double = Awaited<ReturnType<typeof startDouble>>;
