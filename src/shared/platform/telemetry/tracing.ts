import { context, propagation, SpanStatusCode, trace, type Span, type SpanOptions } from '@opentelemetry/api';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';

/**
 * Sends traces where the settings name a collector; without one the SDK is not even loaded, and every span of the API does
 * nothing. Answers what ends it: that sends what is left, within two seconds.
 */
export const startTracing = async ({ traces }: Pick<Config, 'traces'>, log: Logger): Promise<() => Promise<void>> => {
  if (!traces) return async () => {};
  const { exportTraces } = await import('./open-telemetry.ts');
  return exportTraces(traces, log);
};

/**
 * Runs `work` as a span; one that throws has failed, by the error's name. The span belongs to `parent` (a W3C traceparent) if
 * that is one, else to the span under way, else it begins a trace. Its attributes are ids, numbers and enums: no url, body,
 * secret or contact's data leaves the installation with a trace.
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

/** Marks the work as failed; `reason` is an enum or an error's name, never its message. */
export const failSpan = (span: Span, reason: string): void => {
  span.setAttribute('error.type', reason);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** The trace under way, 32 hex digits; undefined where tracing is off. */
export const currentTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

/** W3C traceparent of the span under way, for whoever goes on with this work; undefined where tracing is off. */
export const currentTraceparent = (): string | undefined => {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
};
