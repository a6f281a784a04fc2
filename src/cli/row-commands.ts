import type { Command } from 'commander';
import { found } from '../shared/errors.ts';
import { variants } from '../shared/facts/names.ts';
import type { Sql } from '../shared/platform/db/connect.ts';
import type { WebhookScope } from '../shared/webhooks/queries.ts';
import type { Answer } from './answer.ts';
import type { CommandDeps, Environment } from './command-deps.ts';
import type { Installation } from './installation.ts';
import { idOf, nameOf } from './options.ts';

/** The scope of an operator in an account: webhooks of both variants. */
export const operatorScope = (accountId: string): WebhookScope => ({ accountId, variants });

/** What a command on one row gets: the row's UUID, and the scope of whichever account has it. */
export type RowInput = Installation & { env: Environment; scope: WebhookScope; id: string };

const tables = {
  apiKey: 'api_keys',
  delivery: 'deliveries',
  flow: 'flows',
  replay: 'replays',
  retry: 'retries',
  run: 'runs',
  webhook: 'webhooks',
} as const;

/** Returns what adds commands to `parent` that act on one row of a noun. Their argument is its id; the account is the one that has it. */
export const rowCommands =
  (parent: Command, { answer, env, useInstallation }: CommandDeps, noun: keyof typeof tables) =>
  (name: string, description: string, work: (row: RowInput) => Promise<Answer>): Command =>
    parent
      .command(name)
      .description(description)
      .argument(`<${nameOf(noun)}>`, 'its id', idOf(noun))
      .action(
        answer((id: string) =>
          useInstallation(async (installation) => {
            const scope = operatorScope(await findAccountOf(installation.db, noun, id));
            return work({ ...installation, env, scope, id });
          }),
        ),
      );

const findAccountOf = async (sql: Sql, noun: keyof typeof tables, id: string): Promise<string> => {
  const [row] = await sql<{ accountId: string }[]>`select account_id from ${sql(tables[noun])} where id = ${id}`;
  return found(nameOf(noun), row).accountId;
};
