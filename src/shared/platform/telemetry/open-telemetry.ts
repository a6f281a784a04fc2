import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, resourceFromAttributes, resourceAttributesEnvDetector } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { TracesConfig } from '../config.ts';
import type { Logger } from '../log.ts';
import { withDeadline } from '../deadline.ts';

/** What a collector may take over one batch, and what is left to it at shutdown, in ms. */
const exportTimeoutMs = 10_000;
const shutdownMs = 2_000;

/** Finished spans that wait for the collector; beyond them they are dropped, so that one that is away costs no memory. */
const queueLimit = 8_192;

/**
 * Sends this process's traces to a collector by OTLP over HTTP, in batches beside the work: one goes out after `everyMs`, or
 * when full. Answers what ends it, within two seconds: a collector that hangs holds up no shutdown.
 */
export const exportTraces = (
  { url, serviceName, ratio, everyMs = 5_000 }: TracesConfig & { everyMs?: number },
  log: Logger,
): (() => Promise<void>) => {
  // Headers, certificates and compression are read by the exporter from the standard OTEL_EXPORTER_OTLP_… variables.
  const exporter = telling(new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }), log);
  const resource = detectResources({ detectors: [resourceAttributesEnvDetector] });
  const provider = new TracerProvider({
    resource: resource.merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: new ParentBasedSampler({
      root: new TraceIdRatioBasedSampler(ratio),
      remoteParentSampled: keepShareOfStrangers(ratio),
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: queueLimit, scheduledDelayMillis: everyMs })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);

  return async () => {
    for (const api of [trace, propagation, context]) api.disable();
    await withDeadline(shutdownMs, 'sending the last traces', () => provider.shutdown()).catch(() => {});
  };
};

/**
 * Keeps a trace on that we kept before. A call's traceparent is a stranger's, who may be anybody and chooses the id: of those
 * who ask for their trace to be kept this share get their way, by chance.
 */
const keepShareOfStrangers = (share: number): Sampler => ({
  shouldSample: (_context, _traceId, _name, kind) => {
    const kept = kind !== SpanKind.SERVER || Math.random() < share;
    return { decision: kept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  },
});

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
