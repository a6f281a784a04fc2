import type { Command } from 'commander';
import { createApiKey, listApiKeys, revokeApiKey } from '../../shared/accounts/api-keys.ts';
import { newApiKey, showApiKey } from '../../shared/accounts/schema.ts';
import type { Database } from '../../shared/platform/db/connect.ts';
import { notFound } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { fields, table, type Answer } from '../answer.ts';
import { chooseAccount } from '../choose-account.ts';
import { addListCommand } from '../list-command.ts';
import { accountOption, by } from '../options.ts';
import { rowCommands, type RowInput } from '../row-commands.ts';
import type { CommandDeps } from '../command-deps.ts';

/** parley keys create | list | revoke (specification 5.4) */
export const keyCommands = (program: Command, deps: CommandDeps): void => {
  const keys = program.command('keys').description('the API keys of an account');
  keys
    .command('create')
    .description('make a key; its value is shown this once')
    .requiredOption('--name <name>', 'what the key is for', by(newApiKey.shape.name))
    .addOption(accountOption())
    .action(deps.answer((options: { name: string; account?: string }) => create(deps, options)));
  addListCommand(keys, deps, { description: 'list them, newest first, revoked ones too', list });
  rowCommands(keys, deps, 'apiKey')('revoke', 'revoke a key, effective with the next request', revoke);
};

const create = (
  { useInstallation }: CommandDeps,
  { name, account }: { name: string; account?: string },
): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const { id } = await chooseAccount(db, account);
    const { row, value } = await db.begin((sql) => createApiKey(sql, id, name));
    return {
      document: { ...showApiKey(row), account_id: showId('account', id), key: value },
      text: `${fields({ Key: showId('apiKey', row.id), Account: showId('account', id), Value: value })}
The value is shown this once.`,
    };
  });

const list = async (db: Database, accountId: string, limit: number): Promise<Answer> => {
  const rows = await listApiKeys(db, accountId, { limit });
  return {
    document: { data: rows.map(showApiKey) },
    text: table(
      ['KEY', 'NAME', 'BEGINS', 'CREATED', 'LAST USED', 'REVOKED'],
      rows.map((row) => {
        const { name, prefix, createdAt, lastUsedAt, revokedAt } = row;
        return [showId('apiKey', row.id), name, `${prefix}…`, createdAt, lastUsedAt, revokedAt];
      }),
      'No keys.',
    ),
  };
};

const revoke = async ({ db, scope, id }: RowInput): Promise<Answer> => {
  if (!(await revokeApiKey(db, scope.accountId, id))) throw notFound('key');
  const shown = showId('apiKey', id);
  return { document: { id: shown, revoked: true }, text: `${shown} is revoked.` };
};
