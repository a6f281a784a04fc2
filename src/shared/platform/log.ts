import { Writable } from 'node:stream';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** The root logger: JSON lines, each named by its event (`delivery.attempted`), never with a secret or a contact's data. */
export const createLog = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination ?? pino.destination({ sync: false }),
  );

/**
 * What of an error is logged: not its further properties, in which libraries put parameters, recipients and rows.
 */
const describeError = (error: unknown): object => {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { name, message, code, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
};

/** The same for a person at a terminal: time, event, and its fields in one short line. */
export const createTerminalLog = (level: string): Logger =>
  createLog(
    level,
    new Writable({
      write: (line, _encoding, done) => {
        process.stdout.write(`${sayLine(String(line))}\n`);
        done();
      },
    }),
  );

const sayLine = (json: string): string => {
  const { level, time, msg, ...fields }: Record<string, unknown> = JSON.parse(json);
  const said = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const mark = level === 'info' || level === 'debug' ? '' : ` ${String(level).toUpperCase()}`;
  return [`${String(time).slice(11, 19)}${mark} ${String(msg)}`, ...said].join('  ');
};
