import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { createCa } from '../dev-ca.ts';
import { verifyServiceSignature, verifyStandardWebhook } from './verify.ts';

/** A delivery with two right signatures. */
export type VerifiedDelivery = { id: string; event: string };

/** One address of the receiver. Its secret is known to it before anything is sent there. */
type Endpoint = { path: string; name: string; secret: string };

export type Receiver = {
  port: number;
  /** Who vouches for its certificate. */
  caPem: string;
  /** Listens on one more address; answers its url, and the first verified delivery that comes in there. */
  addEndpoint: (endpoint: Endpoint) => { url: string; firstVerified: Promise<VerifiedDelivery> };
  stop: () => Promise<void>;
};

type OpenEndpoint = Endpoint & { verified: (delivery: VerifiedDelivery) => void; seen: Set<string> };

const challengeBody = z.object({ challenge: z.string() });
const eventBody = z.object({ event: z.string() });

/**
 * The account holder's side: an HTTPS server on a free loopback port with a certificate of its own authority. It answers 401
 * to what is not signed rightly, returns challenges, takes deliveries once per id, and says what it sees.
 */
export const startReceiver = async ({ say }: { say: (line: string) => void }): Promise<Receiver> => {
  const ca = createCa("Parley's demo CA");
  const { certPem, keyPem } = ca.issue(['127.0.0.1']);
  const endpoints = new Map<string, OpenEndpoint>();
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const endpoint = endpoints.get(request.url ?? '');
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
  return {
    port: address.port,
    caPem: ca.certPem,
    addEndpoint: (endpoint) => {
      const { promise, resolve } = Promise.withResolvers<VerifiedDelivery>();
      endpoints.set(endpoint.path, { ...endpoint, verified: resolve, seen: new Set() });
      return { url: `https://127.0.0.1:${address.port}${endpoint.path}`, firstVerified: promise };
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
  const { name, secret, seen, verified } = endpoint;
  const rawBody = await buffer(request);
  const signed = verifyServiceSignature(rawBody, request.headers, secret);
  const standard = verifyStandardWebhook(rawBody, request.headers, secret);
  say('');
  say(`<- POST ${endpoint.path}  (${name}, ${rawBody.length} bytes)`);
  say(`   X-Service-Signature  ${signed ? 'verified' : 'WRONG'}  ${String(request.headers['x-service-signature'])}`);
  say(`   webhook-signature    ${standard ? 'verified' : 'WRONG'}  ${String(request.headers['webhook-signature'])}`);
  say(`   ${rawBody.toString('utf8')}`);
  if (!signed || !standard) {
    say('-> 401');
    response.writeHead(401).end();
    return;
  }
  const body: unknown = JSON.parse(rawBody.toString('utf8'));
  const challenge = challengeBody.safeParse(body).data;
  if (challenge) {
    say('-> 200 with the value of the challenge: yes, send events here');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(challenge));
    return;
  }
  response.writeHead(200).end();
  const id = String(request.headers['webhook-id']);
  const { event } = eventBody.parse(body);
  // Deliveries come at least once; what was taken before is answered alike and otherwise discarded.
  say(
    seen.has(id) ? `-> 200 but discarded: ${id} was here before` : `-> 200 Delivery verified: ${name}, ${event}, ${id}`,
  );
  seen.add(id);
  verified({ id, event });
};
