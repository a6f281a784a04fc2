import type { Command } from 'commander';
import { createApiKey, listApiKeys, revokeApiKey } from '../../shared/accounts/api-keys.ts';
import { newApiKey, showApiKey } from '../../shared/accounts/schema.ts';
import { notFound } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { fields, type Answer } from '../answer.ts';
import { chooseAccount } from '../choose-account.ts';
import { addListCommand } from '../list-command.ts';
import { accountOption, by } from '../options.ts';
import { rowCommands, type RowInput } from '../row-commands.ts';
import type { CommandDeps } from '../command-deps.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';

/** parley keys create | list | revoke (specification 5.4) */
export const keyCommands = (program: Command, deps: CommandDeps): void => {
  const keys = program.command('keys').description('the API keys of an account');
  keys
    .command('create')
    .description('create a key and show its value once')
    .requiredOption('--name <name>', 'what the key is for', by(newApiKey.shape.name))
    .addOption(accountOption())
    .action(deps.answer((options: { name: string; account?: string }) => create(deps, options)));
  addListCommand(keys, deps, {
    description: 'list keys, newest first, including revoked ones',
    read: async ({ db }, accountId, { limit }) => (await listApiKeys(db, accountId, { limit })).map(showApiKey),
    columns: {
      KEY: 'id',
      NAME: 'name',
      BEGINS: ({ prefix }) => `${prefix}…`,
      CREATED: 'created_at',
      'LAST USED': 'last_used_at',
      REVOKED: 'revoked_at',
    },
    none: 'No keys.',
  });
  rowCommands(keys, deps, 'apiKey')('revoke', 'revoke a key from its next request on', revoke);
};

const create = (
  { useInstallation }: CommandDeps,
  { name, account }: { name: string; account?: string },
): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const { id } = await chooseAccount(db, account);
    const { row, value } = await leaveToSweep(db, (tx) => createApiKey(tx, id, name));
    return {
      document: { ...showApiKey(row), account_id: showId('account', id), key: value },
      text: `${fields({ Key: showId('apiKey', row.id), Account: showId('account', id), Value: value })}
The value is shown this once.`,
    };
  });

const revoke = async ({ db, scope, id }: RowInput): Promise<Answer> => {
  if (!(await leaveToSweep(db, (tx) => revokeApiKey(tx, scope.accountId, id)))) throw notFound('key');
  const shown = showId('apiKey', id);
  return { document: { id: shown, revoked: true }, text: `${shown} is revoked.` };
};
