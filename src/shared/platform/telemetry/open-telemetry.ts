import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as SdkSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, resourceFromAttributes, resourceAttributesEnvDetector } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { TracesConfig } from '../config.ts';
import type { Logger } from '../log.ts';
import type { Span, Tracing } from './tracing.ts';

/** What a collector may take over one batch, and what is left to it at shutdown, in ms. */
const exportTimeoutMs = 10_000;
const shutdownMs = 2_000;

/** Finished spans that wait for the collector; beyond them they are dropped, so that one that is away costs no memory. */
const queueLimit = 8_192;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * Sends traces to a collector by OTLP over HTTP, in batches beside the work. The SDK is used without its globals: the span
 * under way is kept here, so that two of these in one process do not meet. A batch goes out after `everyMs`, or when full.
 */
export const exportTraces = (
  { url, serviceName, ratio, everyMs = 5_000 }: TracesConfig & { everyMs?: number },
  log: Logger,
): Tracing => {
  // Headers, certificates and compression are read by the exporter from the standard OTEL_EXPORTER_OTLP_… variables.
  const exporter = telling(new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }), log);
  const resource = detectResources({ detectors: [resourceAttributesEnvDetector] });
  const provider = new TracerProvider({
    resource: resource.merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: queueLimit, scheduledDelayMillis: everyMs })],
  });
  const tracer = provider.getTracer('parley');
  const underWay = new AsyncLocalStorage<Context>();

  return {
    span: (name, { kind = 'internal', parent, attributes = {} }, work) => {
      const remote = readTraceparent(parent, kind === 'server' ? ratio : 1);
      const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : (underWay.getStore() ?? ROOT_CONTEXT);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
      return underWay.run(trace.setSpan(context, span), async () => {
        try {
          return await work(asSpan(span));
        } catch (error) {
          fail(span, error instanceof Error ? error.name : 'unknown');
          throw error;
        } finally {
          span.end();
        }
      });
    },
    stop: async () => {
      const stopped = provider.shutdown().catch(() => {});
      await Promise.race([stopped, sleep(shutdownMs, undefined, { ref: false })]);
    },
  };
};

const asSpan = (span: SdkSpan): Span => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (reason) => fail(span, reason),
  };
};

const fail = (span: SdkSpan, reason: string): void => {
  span.setAttribute('error.type', reason);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/**
 * The span that a W3C traceparent names; undefined for what is none, which is then not heeded. Of those who ask for their
 * trace to be kept `share` get their way, by chance: they may be anybody, and choose the id, which therefore cannot decide.
 */
const readTraceparent = (text: string | null | undefined, share: number): SpanContext | undefined => {
  const [, traceId, spanId, flags] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const kept = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0 && Math.random() < share;
  const traceFlags = kept ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
};

/** Says once that a collector does not take the traces, and once that it does again; never in its own words. */
const telling = (exporter: SpanExporter, log: Logger): SpanExporter => {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && !failing)
          log.warn({ error: result.error.name, spans: spans.length }, 'tracing.unavailable');
        if (!result.error && failing) log.info('tracing.available');
        failing = result.error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
};
