import type { Command } from 'commander';
import { table, type Columns } from './answer.ts';
import { chooseAccount } from './choose-account.ts';
import type { CommandDeps } from './command-deps.ts';
import type { Installation } from './installation.ts';
import { accountOption, limitOption } from './options.ts';

/** A list of one account's rows, newest first. */
type Listing<Shown, Options> = {
  description: string;
  /** Reads the rows as `--json` has them. */
  read: (
    installation: Installation,
    accountId: string,
    options: Options & { limit: number },
  ) => Promise<readonly Shown[]>;
  /** The columns of the table by their titles. */
  columns: Columns<Shown>;
  /** What stands in the place of an empty table. */
  none: string;
};

/** Adds `list` to a noun. The command that it answers takes further options, which `read` gets. */
export const addListCommand = <Shown, Options = object>(
  noun: Command,
  { answer, useInstallation }: CommandDeps,
  { description, read, columns, none }: Listing<Shown, Options>,
): Command =>
  noun
    .command('list')
    .description(description)
    .addOption(accountOption())
    .addOption(limitOption())
    .action(
      answer((options: Options & { account?: string; limit: number }) =>
        useInstallation(async (installation) => {
          const { id } = await chooseAccount(installation.db, options.account);
          const data = await read(installation, id, options);
          return { document: { data }, text: table(columns, data, none) };
        }),
      ),
    );
