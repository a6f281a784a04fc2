import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { createCa } from '../src/shared/platform/certificates.ts';
import { answerQuestions, startChild } from './children.ts';
import { nowMs } from './statistics.ts';

/** A received POST: its message (or else its contact), the id of its envelope, and when its last byte arrived. */
export type Reception = z.infer<typeof reception>;

const reception = z.object({ marker: z.string(), id: z.string(), atMs: z.number() });
const question = z.object({ type: z.enum(['address', 'count', 'held', 'take']) });
const envelope = z.object({
  id: z.string(),
  data: z.object({ contact_id: z.string(), message: z.object({ text: z.string() }).optional() }),
});
const callback = z.object({ id: z.string(), message: z.object({ text: z.string() }) });
const address = z.object({ port: z.number(), caPem: z.string() });

export type Receiver = {
  pid: number;
  port: number;
  caPem: string;
  /** POSTs since the last `take`. */
  count: () => Promise<number>;
  /** The number of POSTs that are kept waiting now. */
  held: () => Promise<number>;
  /** Takes the POSTs since the last call, in order. */
  take: () => Promise<Reception[]>;
  stop: () => Promise<void>;
};

/**
 * Starts an HTTPS receiver in a process of its own. It answers 200 to everything and remembers it. At /quiet it remembers nothing, at /stock it
 * answers like the API of a shop, at /answers it takes messages to contacts, whose marker is the last word, at /second it answers 500 to the first
 * POST of each delivery, and at /hanging it answers later than any sender waits.
 */
export const startReceiver = async (): Promise<Receiver> => {
  const { pid, ask, stop } = startChild('receiver.ts');
  return {
    pid,
    ...(await ask({ type: 'address' }, address)),
    count: async () => (await ask({ type: 'count' }, z.object({ count: z.number() }))).count,
    held: async () => (await ask({ type: 'held' }, z.object({ held: z.number() }))).held,
    take: async () => (await ask({ type: 'take' }, z.object({ receptions: z.array(reception) }))).receptions,
    stop,
  };
};

const serve = async (): Promise<void> => {
  const ca = createCa("Parley's bench CA");
  const { certPem, keyPem } = ca.issue(['127.0.0.1']);
  const receptions: Reception[] = [];
  const seen = new Set<string>();
  let held = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const atMs = nowMs();
    if (request.url === '/hanging') {
      held += 1;
      response.once('close', () => (held -= 1));
      return;
    }
    if (request.url === '/quiet') return void response.writeHead(200).end();
    if (request.url === '/stock') {
      const stock = { items: [{ sku: 'T-100', left: 3 }] };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(stock));
    }
    if (request.url === '/answers') {
      response.writeHead(200).end();
      const { id, message } = callback.parse(JSON.parse(body.toString('utf8')));
      return void receptions.push({ marker: message.text.split(' ').at(-1) ?? '', id, atMs });
    }
    const { id, data } = envelope.parse(JSON.parse(body.toString('utf8')));
    response.writeHead(request.url === '/second' && !seen.has(id) ? 500 : 200).end();
    seen.add(id);
    receptions.push({ marker: data.message?.text ?? data.contact_id, id, atMs });
  };
  // An error ends this process, and with it the bench.
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('not a TCP server');
  const answers = {
    address: () => ({ port: bound.port, caPem: ca.certPem }),
    count: () => ({ count: receptions.length }),
    held: () => ({ held }),
    take: () => ({ receptions: receptions.splice(0) }),
  };
  answerQuestions(async (asked) => answers[question.parse(asked).type]());
};

if (import.meta.main) await serve();
