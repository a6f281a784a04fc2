import { context, propagation, SpanStatusCode, trace, type Span, type SpanOptions } from '@opentelemetry/api';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';

/**
 * Sends traces to the collector of the settings. Without one the SDK is not loaded, and spans do nothing. Answers a function that ends it and
 * sends the last spans, within two seconds.
 */
export const startTracing = async ({ traces }: Pick<Config, 'traces'>, log: Logger): Promise<() => Promise<void>> => {
  if (!traces) return async () => {};
  const { exportTraces } = await import('./open-telemetry.ts');
  return exportTraces(traces, log);
};

/**
 * Runs `work` as a span. When `work` throws, the span fails with the name of the error. The span belongs to `parent` if that is a W3C
 * traceparent, else to the span under way, or else it begins a trace. Attributes are ids, numbers and enums, so that no url, body, secret or
 * data of a contact leaves the installation.
 */
export const inSpan = <Result>(
  name: string,
  { parent, ...options }: SpanOptions & { parent?: string | null },
  work: (span: Span) => Promise<Result>,
): Promise<Result> => {
  const cause = propagation.extract(context.active(), { traceparent: parent });
  return trace.getTracer('parley').startActiveSpan(name, options, cause, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
};

/** Marks a span as failed. `reason` is an enum or the name of an error, never its message. */
export const failSpan = (span: Span, reason: string): void => {
  span.setAttribute('error.type', reason);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** The id of the trace under way, 32 hex digits. Undefined when tracing is off. */
export const currentTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

/** The W3C traceparent of the span under way, to continue its trace elsewhere. Undefined when tracing is off. */
export const currentTraceparent = (): string | undefined => {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
};
