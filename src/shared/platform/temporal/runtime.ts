import { makeTelemetryFilterString, Runtime, type LogEntry } from '@temporalio/worker';
import type { Logger } from '../log.ts';

/**
 * Sets up Temporal's runtime, once per process and before its first connection. Its log lines go to our log, and the entry file handles
 * signals. With `metricsAddress` (`host:port`) the SDK serves its own metrics there.
 */
export const installRuntime = ({ log, metricsAddress }: { log: Logger; metricsAddress?: string }): void => {
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log: (level, message) => log[pinoLevel(level)]({ source: 'temporal' }, message),
      trace: (message, meta) => log.trace({ ...meta, source: 'temporal' }, message),
      debug: (message, meta) => log.debug({ ...meta, source: 'temporal' }, message),
      info: (message, meta) => log.debug({ ...meta, source: 'temporal' }, message),
      warn: (message, meta) => log.warn({ ...meta, source: 'temporal' }, message),
      error: (message, meta) => log.error({ ...meta, source: 'temporal' }, message),
    },
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }), forward: {} },
      ...(metricsAddress !== undefined && { metrics: { prometheus: { bindAddress: metricsAddress } } }),
    },
  });
};

const pinoLevel = (level: LogEntry['level']) =>
  ({ TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const)[level];
