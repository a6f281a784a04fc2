import { EventEmitter, on, once } from 'node:events';
import { createServer } from 'node:https';
import { z } from 'zod';
import { createOnce, type Once } from '../../packages/verify/src/index.ts';
import { createCa } from '../../src/shared/platform/certificates.ts';
import { takeWebhook } from '../receiver/take-webhook.ts';

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
    const { name, secret, once, verified } = endpoint;
    takeWebhook(request, response, { name, secrets: [secret], once, say })
      .then((delivery) => delivery && verified(delivery))
      .catch((error: unknown) => {
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
