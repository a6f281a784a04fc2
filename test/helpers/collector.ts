import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const value = z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() });
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue])));

const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              kind: z.number(),
              status: z.object({ code: z.number(), message: z.string().optional() }),
              attributes,
            }),
          ),
        }),
      ),
    }),
  ),
});

type ExportedSpan = z.infer<typeof exported>['resourceSpans'][number]['scopeSpans'][number]['spans'][number] & {
  service: unknown;
};

export type Collector = {
  /** Where traces go, as OTEL_EXPORTER_OTLP_TRACES_ENDPOINT names it. */
  url: string;
  spans: ExportedSpan[];
  /** All that came, as it came. */
  received: unknown[];
  close: () => Promise<void>;
};

/** An OpenTelemetry collector on loopback that keeps what it gets; one that `hangs` takes requests and answers none. */
export const startCollector = async ({ hangs = false } = {}): Promise<Collector> => {
  const spans: ExportedSpan[] = [];
  const received: unknown[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await json(request);
    received.push(body);
    for (const { resource, scopeSpans } of exported.parse(body).resourceSpans) {
      const service = resource.attributes['service.name'];
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))));
    }
    if (!hangs) response.setHeader('content-type', 'application/json').end('{}');
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1/traces`,
    spans,
    received,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
