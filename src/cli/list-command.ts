import type { Command } from 'commander';
import type { Database } from '../shared/platform/db/connect.ts';
import type { Answer } from './answer.ts';
import { chooseAccount } from './choose-account.ts';
import type { CommandDeps } from './command-deps.ts';
import { accountOption, limitOption } from './options.ts';

/** Adds `list` to a noun: the newest rows of one account. `list` gets the account's UUID. */
export const addListCommand = (
  noun: Command,
  { answer, useInstallation }: CommandDeps,
  {
    description,
    list,
  }: { description: string; list: (db: Database, accountId: string, limit: number) => Promise<Answer> },
): void => {
  noun
    .command('list')
    .description(description)
    .addOption(accountOption())
    .addOption(limitOption())
    .action(
      answer(({ account, limit }: { account?: string; limit: number }) =>
        useInstallation(async ({ db }) => list(db, (await chooseAccount(db, account)).id, limit)),
      ),
    );
};
