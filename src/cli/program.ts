import { Command, CommanderError } from 'commander';
import type { CommandDeps, Environment } from './command-deps.ts';
import { accountCommands } from './commands/accounts.ts';
import { deliveryCommands } from './commands/deliveries.ts';
import { doctorCommand } from './commands/doctor.ts';
import { flowCommands } from './commands/flows.ts';
import { keyCommands } from './commands/keys.ts';
import { replayCommands } from './commands/replays.ts';
import { retentionCommands } from './commands/retention.ts';
import { retryCommands } from './commands/retries.ts';
import { runCommands } from './commands/runs.ts';
import { secretCommands } from './commands/secrets.ts';
import { userCommands } from './commands/users.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { describeFailure, UsageError } from './failure.ts';
import { createUseInstallation } from './installation.ts';

export type CliIo = {
  env: Environment;
  out: (text: string) => void;
  err: (text: string) => void;
};

/**
 * Runs one command line and answers the exit code: 0 done, 1 failed, 2 wrong usage. With `--json` exactly one document goes
 * to `out`, `{"error": {code, message}}` for a failure; else text does, and the reason of a failure goes to `err` in one line.
 */
export const runCli = async (args: readonly string[], { env, out, err }: CliIo): Promise<number> => {
  let exitCode = 0;
  const json = () => program.opts<{ json?: boolean }>().json === true;
  const program = new Command('parley').configureOutput({ writeOut: out, writeErr: () => {} });
  addCommands(program, {
    env,
    useInstallation: createUseInstallation(env),
    answer:
      (work) =>
      async (...given) => {
        const { document, text, failed = false } = await work(...given);
        out(json() ? `${JSON.stringify(document)}\n` : `${text}\n`);
        exitCode = failed ? 1 : 0;
      },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    const wrong = usageOf(error);
    if (wrong === undefined) return 0;
    const { code, message, exitCode: failure } = describeFailure(wrong);
    if (json()) out(`${JSON.stringify({ error: { code, message } })}\n`);
    else err(`${message}\n`);
    return failure;
  }
};

/** What commander throws is the user's command line, or undefined for help, which was asked for and has been printed. */
const usageOf = (error: unknown): unknown => {
  if (!(error instanceof CommanderError)) return error;
  if (error.exitCode === 0) return undefined;
  return new UsageError(
    error.code === 'commander.help'
      ? 'No command given. npm run -s parley -- --help lists the commands.'
      : `${error.message.replace(/^error: /, '').replaceAll('\n', ' ')} (see npm run -s parley -- --help)`,
  );
};

/** The settings first: each command takes them over from its parent when it is added. */
const addCommands = (program: Command, deps: CommandDeps): void => {
  program
    .description('Manages the Parley installation at DATABASE_URL, else in DATA_DIR. The service may be stopped.')
    .option('--json', 'print one JSON document')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });
  for (const add of [
    accountCommands,
    userCommands,
    keyCommands,
    webhookCommands,
    deliveryCommands,
    replayCommands,
    flowCommands,
    runCommands,
    retryCommands,
    retentionCommands,
    secretCommands,
    doctorCommand,
  ])
    add(program, deps);
};
