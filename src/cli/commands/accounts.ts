import { Argument, Option, type Command } from 'commander';
import { createAccount } from '../../shared/accounts/create-account.ts';
import { planAllowsWebhooks, plans, type Plan } from '../../shared/accounts/plans.ts';
import { findAccount, listAccounts, setPlan } from '../../shared/accounts/queries.ts';
import { newAccount, showAccount, type NewAccount } from '../../shared/accounts/schema.ts';
import type { Database } from '../../shared/platform/db/connect.ts';
import { found } from '../../shared/errors.ts';
import { variants } from '../../shared/facts/names.ts';
import { showId } from '../../shared/ids.ts';
import { sayCount } from '../../shared/replays/count.ts';
import { countMatching } from '../../shared/replays/filter.ts';
import { openSecrets } from '../../shared/platform/secrets/master-key.ts';
import { fields, table, type Answer, type Columns } from '../answer.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { by, idOf } from '../options.ts';
import type { CommandDeps } from '../command-deps.ts';
import type { Installation } from '../installation.ts';

/** parley accounts create | list | set-plan */
export const accountCommands = (program: Command, deps: CommandDeps): void => {
  const accounts = program.command('accounts').description('the accounts of this installation');
  accounts
    .command('create')
    .description('create an account with its owner and a first API key, and show password and key once')
    .requiredOption('--name <name>', "the account's name", by(newAccount.shape.name))
    .requiredOption(
      '--email <address>',
      'the address its owner signs in with and gets mail at',
      by(newAccount.shape.email),
    )
    .option('--owner-name <name>', 'the owner’s name', by(newAccount.shape.owner_name))
    .addOption(new Option('--plan <plan>', 'webhooks need pro or higher').choices(plans).default('pro'))
    .option('--time-zone <zone>', 'for contacts whose time zone is unknown', by(newAccount.shape.time_zone), 'UTC')
    .action(
      deps.answer(({ timeZone, ownerName, ...account }: CreateOptions) =>
        create(deps, { ...account, owner_name: ownerName, time_zone: timeZone }),
      ),
    );
  accounts
    .command('list')
    .description('list accounts, oldest first')
    .action(deps.answer(() => list(deps)));
  accounts
    .command('set-plan')
    .description('move an account to another plan')
    .argument('<account>', 'its id', idOf('account'))
    .addArgument(new Argument('<plan>', 'the new plan').choices(plans))
    .action(deps.answer((id: string, plan: Plan) => changePlan(deps, id, plan)));
};

type CreateOptions = { name: string; email: string; ownerName?: string; plan: Plan; timeZone: string };

const create = ({ useInstallation }: CommandDeps, account: NewAccount): Promise<Answer> => {
  const createIn = async ({ config, db }: Installation): Promise<Answer> => {
    const secrets = await openSecrets(config);
    const { accountId, email, password, apiKey } = await createAccount({ sql: db, secrets }, account);
    const id = showId('account', accountId);
    return {
      document: { account_id: id, email, password, api_key: apiKey },
      text: `${fields({ Account: id, 'E-mail': email, Password: password, 'API key': apiKey })}
The password and the key are shown this once.`,
    };
  };
  return useInstallation(createIn, { mayBegin: true });
};

const list = ({ useInstallation }: CommandDeps): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const data = (await listAccounts(db)).map(showAccount);
    return { document: { data }, text: table(columns, data, 'No accounts.') };
  });

const columns: Columns<ReturnType<typeof showAccount>> = {
  ACCOUNT: 'id',
  NAME: 'name',
  PLAN: 'plan',
  'TIME ZONE': 'time_zone',
  OWNER: 'email',
  CREATED: 'created_at',
};

const changePlan = ({ useInstallation }: CommandDeps, id: string, plan: Plan): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const account = await leaveToSweep(db, async (tx) => {
      await setPlan(tx, id, plan);
      return found('account', await findAccount(tx.sql, id));
    });
    const shown = showId('account', id);
    const waiting = planAllowsWebhooks(plan) ? await countParked(db, id) : 0;
    const offer = `Parked deliveries ready to send: ${sayCount(waiting)}. To send them:\nparley replays start --account ${shown} --status parked`;
    return {
      document: { ...showAccount(account), parked: waiting },
      text: `${shown} is on plan ${plan}.${waiting > 0 ? `\n${offer}` : ''}`,
    };
  });

const countParked = (db: Database, accountId: string): Promise<number> => {
  const always = { webhookId: null, since: null, until: null, lostSince: null };
  return countMatching(db, accountId, { ...always, variants, statuses: ['parked'] });
};
