import {
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanKind,
} from '@opentelemetry/api';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';

/** Whether this process sends traces: only then is there a propagator. */
const isTracing = (): boolean => propagation.fields().length > 0;

/** The span of a process that sends none. */
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Sends traces to the collector of the settings. Without one the SDK is not loaded, and spans do nothing. Answers a function that ends it and
 * sends the last spans, within two seconds.
 */
export const startTracing = async ({ traces }: Pick<Config, 'traces'>, log: Logger): Promise<() => Promise<void>> => {
  if (!traces) return async () => {};
  const { exportTraces } = await import('./open-telemetry.ts');
  return exportTraces(traces, log);
};

type InSpan = {
  kind?: SpanKind;
  /** A W3C traceparent. */
  parent?: string | null;
  /** Not asked where no span is recorded. */
  attributes?: () => Attributes;
};

/**
 * Runs `work` as a span, or as it is where no traces are sent. When `work` throws, the span fails with the name of the error. The span belongs
 * to `parent` if that is a W3C traceparent, else to the span under way, or else it begins a trace. Attributes are ids, numbers and enums, so
 * that no url, body, secret or data of a contact leaves the installation.
 */
export const inSpan = <Result>(
  name: string,
  { parent, attributes, ...options }: InSpan,
  work: (span: Span) => Promise<Result>,
): Promise<Result> => {
  if (!isTracing()) return work(noSpan);
  const cause = propagation.extract(context.active(), { traceparent: parent });
  return trace.getTracer('parley').startActiveSpan(name, options, cause, async (span) => {
    try {
      if (attributes && span.isRecording()) span.setAttributes(attributes());
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
