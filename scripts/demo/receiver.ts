import { EventEmitter, on, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import {
  answerChallenge,
  createOnce,
  type Once,
  verifyWebhook,
  type Webhook,
  WebhookVerificationError,
} from '../../packages/verify/src/index.ts';
import { createCa } from '../dev-ca.ts';

const verifiedDelivery = z.object({ id: z.string(), event: z.string() });

/** A delivery whose two signatures are valid. */
export type VerifiedDelivery = z.infer<typeof verifiedDelivery>;

/** An address of the receiver. The receiver knows its secret before anything is sent there. */
type Endpoint = { path: string; name: string; secret: string };

export type Receiver = {
  port: number;
  /** The authority of its certificate. */
  caPem: string;
  /** Listens on one more address; answers its url, and with each call of `next` one more verified delivery that comes in there. */
  addEndpoint: (endpoint: Endpoint) => { url: string; next: () => Promise<VerifiedDelivery> };
  /** Answers GETs of an address with this JSON; answers its url. */
  addService: (service: { path: string; name: string; answer: object }) => { url: string };
  stop: () => Promise<void>;
};

type OpenEndpoint = Endpoint & { verified: (delivery: VerifiedDelivery) => void; once: Once };

/** How far a signed time may differ from ours. A delivery beyond that counts as replayed by an attacker. */
const toleranceSeconds = 5 * 60;

/**
 * Starts the account holder's side: an HTTPS server on a free loopback port with a certificate of its own authority. It answers 401 to requests
 * without a valid signature, returns challenges, accepts each delivery once by its id, and prints what it receives.
 */
export const startReceiver = async ({ say }: { say: (line: string) => void }): Promise<Receiver> => {
  const ca = createCa("Parley's demo CA");
  const { certPem, keyPem } = ca.issue(['127.0.0.1']);
  const endpoints = new Map<string, OpenEndpoint>();
  const services = new Map<string, { name: string; answer: object }>();
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const url = request.url ?? '';
    const service = services.get(url);
    if (service && request.method === 'GET') {
      const json = JSON.stringify(service.answer);
      say(`\n<- GET ${url}  (${service.name})\n-> 200 ${json}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(json);
      return;
    }
    const endpoint = endpoints.get(url);
    if (!endpoint) {
      response.writeHead(404).end();
      return;
    }
    receive({ endpoint, request, response, say }).catch((error: unknown) => {
      say(`   the receiver could not take a request: ${String(error)}`);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');
  const origin = `https://127.0.0.1:${address.port}`;
  return {
    port: address.port,
    caPem: ca.certPem,
    addEndpoint: (endpoint) => {
      const arrivals = new EventEmitter<{ verified: [VerifiedDelivery] }>();
      const verified = on(arrivals, 'verified');
      endpoints.set(endpoint.path, {
        ...endpoint,
        verified: (delivery) => arrivals.emit('verified', delivery),
        once: createOnce(),
      });
      return {
        url: `${origin}${endpoint.path}`,
        next: async () => verifiedDelivery.parse((await verified.next()).value?.[0]),
      };
    },
    addService: ({ path, ...service }) => {
      services.set(path, service);
      return { url: `${origin}${path}` };
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

type Receiving = {
  endpoint: OpenEndpoint;
  request: IncomingMessage;
  response: ServerResponse;
  say: (line: string) => void;
};

const receive = async ({ endpoint, request, response, say }: Receiving): Promise<void> => {
  const { path, name, secret, once, verified } = endpoint;
  const rawBody = await buffer(request);
  const { 'x-service-signature': service, 'webhook-signature': standard } = request.headers;
  say('');
  say(`<- POST ${path}  (${name}, ${rawBody.length} bytes)`);
  say(`   X-Service-Signature  ${String(service)}`);
  say(`   webhook-signature    ${String(standard)}`);
  say(`   ${rawBody.toString('utf8')}`);
  const webhook = verify(rawBody, request, secret);
  if (webhook instanceof WebhookVerificationError) {
    say(`   WRONG: ${webhook.message}`);
    say(`-> ${webhook.status}`);
    response.writeHead(webhook.status).end();
    return;
  }
  say('   both signatures verified');
  if (webhook.type === 'challenge') {
    say('-> 200 with the value of the challenge: yes, send events here');
    const { status, headers, body } = answerChallenge(webhook.challenge);
    response.writeHead(status, headers).end(body);
    return;
  }
  const { id, envelope } = webhook;
  const event = String(envelope.event);
  // Deliveries come at least once. A duplicate is answered alike and discarded.
  const outcome = await once(id, () => say(`-> 200 Delivery verified: ${name}, ${event}, ${id}`));
  if (outcome === 'duplicate') say(`-> 200 but discarded: ${id} was here before`);
  response.writeHead(200).end();
  if (outcome === 'done') verified({ id, event });
};

const verify = (body: Buffer, { headers }: IncomingMessage, secrets: string): Webhook | WebhookVerificationError => {
  try {
    return verifyWebhook({ body, headers, secrets, toleranceSeconds });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
};
