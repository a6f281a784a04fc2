import { ConfigError } from '../shared/platform/config.ts';
import { RequestError } from '../shared/errors.ts';
import { Interrupted } from './installation.ts';
import { codeOf } from '../shared/platform/error-code.ts';

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Why a command failed, as `{"error": …}` shows it, and the process's exit code. */
export type Failure = { code: string; message: string; exitCode: number };

/** 2 is the caller's command line, 130 a signal, 1 everything else. */
export const describeFailure = (error: unknown): Failure => {
  if (error instanceof UsageError) return { code: 'usage', message: error.message, exitCode: 2 };
  if (error instanceof Interrupted) return { code: 'interrupted', message: 'Interrupted.', exitCode: 130 };
  if (error instanceof ConfigError) {
    return { code: 'invalid_settings', message: `Invalid settings: ${error.problems.join('; ')}`, exitCode: 1 };
  }
  if (error instanceof RequestError) return { code: error.code, message: error.message, exitCode: 1 };
  return { code: 'failed', message: describeError(error), exitCode: 1 };
};

/** An error and its causes on one line; connection errors often have a code instead of a message. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || (codeOf(error) ?? error.name);
  const all = error.cause instanceof Error ? `${own}: ${describeError(error.cause)}` : own;
  return all.replaceAll(/\s*\n\s*/g, ' | ');
};
