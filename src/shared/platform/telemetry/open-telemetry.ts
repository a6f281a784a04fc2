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

/** How long a collector may take for one batch, and at shutdown, in ms. */
const exportTimeoutMs = 10_000;
const shutdownMs = 2_000;

/** The most finished spans that wait for the collector. Further ones are dropped, so that an absent collector costs no memory. */
const queueLimit = 8_192;

/**
 * Sends the traces of this process to a collector by OTLP over HTTP, in batches: one goes out after `everyMs`, or when it is full. Answers a
 * function that ends it within two seconds, so that a hanging collector does not hold up a shutdown.
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
 * Keeps a random share of the traces that callers have sampled. A caller may be anybody and chooses the trace id, so the id does not decide.
 * Spans that join a trace of our own are always kept.
 */
const keepShareOfStrangers = (share: number): Sampler => ({
  shouldSample: (_context, _traceId, _name, kind) => {
    const kept = kind !== SpanKind.SERVER || Math.random() < share;
    return { decision: kept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  },
});

/** Logs once when the collector does not accept the traces, and once when it does again, without the collector's own words. */
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
