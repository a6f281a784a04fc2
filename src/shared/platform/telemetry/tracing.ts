import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';

/** Ids, numbers and enums: no url, body, secret or contact's data leaves the installation with a trace. */
type SpanAttributes = Record<string, string | number | undefined>;

/** A piece of work under way, as it is told to the trace. */
export type Span = {
  /** The trace's id, 32 hex digits; undefined where tracing is off. */
  traceId: string | undefined;
  /** W3C traceparent, for whoever goes on with this work; undefined where tracing is off. */
  traceparent: string | undefined;
  rename: (name: string) => void;
  set: (attributes: SpanAttributes) => void;
  /** Marks the work as failed; `reason` is an enum or an error's name, never its message. */
  fail: (reason: string) => void;
};

type SpanOptions = {
  /** `server` answers a call, `client` makes one; anything else is `internal`. */
  kind?: 'server' | 'client' | 'internal';
  /**
   * W3C traceparent of what caused this; without one it belongs to the span under way, or begins a trace. A `server` span's
   * is a stranger's: that the trace is not to be kept is heeded, that it is to be is left to the share in the settings.
   */
  parent?: string | null | undefined;
  attributes?: SpanAttributes;
};

/** Tells a collector what happened when, across processes and over time. */
export type Tracing = {
  /** Runs `work` as a span; one that throws has failed, by the error's name. */
  span: <Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>) => Promise<Result>;
  /** Sends what is left, within two seconds: a collector that hangs holds up no shutdown. */
  stop: () => Promise<void>;
};

const noSpan: Span = {
  traceId: undefined,
  traceparent: undefined,
  rename: () => {},
  set: () => {},
  fail: () => {},
};

/** Tracing that is off: the work is done and nothing told. */
export const noTracing: Tracing = { span: (_name, _options, work) => work(noSpan), stop: async () => {} };

/** Traces go out when the settings name a collector; without one OpenTelemetry is not even loaded. */
export const startTracing = async ({ traces }: Pick<Config, 'traces'>, log: Logger): Promise<Tracing> => {
  if (!traces) return noTracing;
  const { exportTraces } = await import('./open-telemetry.ts');
  return exportTraces(traces, log);
};
