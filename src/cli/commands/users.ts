import type { Command } from 'commander';
import { changePassword } from '../../shared/accounts/change-password.ts';
import { passwordText, userName } from '../../shared/accounts/schema.ts';
import { listProcesses } from '../../shared/platform/processes/processes.ts';
import { describeSettings } from '../../shared/platform/processes/settings.ts';
import { found, notFound } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { createPassword, hashPassword } from '../../shared/platform/secrets/passwords.ts';
import { setName } from '../../shared/users/manage.ts';
import { findUser, listUsers } from '../../shared/users/queries.ts';
import { showUser } from '../../shared/users/schema.ts';
import { createSignInLink } from '../../shared/users/sign-in-links.ts';
import { fields, type Answer } from '../answer.ts';
import type { CommandDeps } from '../command-deps.ts';
import { settingsInForce } from '../doctor/settings.ts';
import { UsageError } from '../failure.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { addListCommand } from '../list-command.ts';
import { by } from '../options.ts';
import { readPassword } from '../read-password.ts';

/** parley users list | set-name | set-password | sign-in-link */
export const userCommands = (program: Command, deps: CommandDeps): void => {
  const users = program.command('users').description('the users who sign in to the dashboard');
  addListCommand(users, deps, {
    description: 'list the users of an account, newest first',
    read: async ({ db }, accountId, { limit }) => (await listUsers(db, accountId, { limit })).map(showUser),
    columns: { USER: 'id', NAME: 'name', 'E-MAIL': 'email', ROLE: 'role', CREATED: 'created_at' },
    none: 'No users.',
  });
  users
    .command('set-name')
    .description('change the name of a user')
    .argument('<user>', 'its id or e-mail address')
    .argument('<name>', 'up to 80 characters', by(userName))
    .action(deps.answer((user: string, name: string) => nameUser(deps, user, name)));
  users
    .command('set-password')
    .description('set a new password, show it once, and end all sessions of the user')
    .argument('<user>', 'its id or e-mail address')
    .option('--ask', 'read the password from the terminal or stdin instead of generating one')
    .action(deps.answer((user: string, { ask }: { ask?: boolean }) => setPassword(deps, user, ask === true)));
  users
    .command('sign-in-link')
    .description('create a link that signs a user in, once, within an hour')
    .argument('<user>', 'its id or e-mail address')
    .action(deps.answer((user: string) => makeSignInLink(deps, user)));
};

const nameUser = ({ useInstallation }: CommandDeps, who: string, name: string): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const { id: userId } = found('user', await findUser(db, who));
    const user = found('user', await leaveToSweep(db, (tx) => setName(tx, { userId, name })));
    const document = showUser(user);
    return { document, text: fields({ User: document.id, 'E-mail': user.email, Name: name }) };
  });

const setPassword = async ({ useInstallation }: CommandDeps, who: string, asks: boolean): Promise<Answer> => {
  const password = asks ? checked(await readPassword()) : createPassword();
  return useInstallation(async ({ db }) => {
    const user = await findUser(db, who);
    const passwordHash = await hashPassword(password);
    const isSet = user && (await leaveToSweep(db, (tx) => changePassword(tx, { userId: user.id, passwordHash })));
    if (!user || !isSet) throw notFound('user');
    const made = asks ? {} : { password };
    const id = showId('user', user.id);
    return {
      document: { id, email: user.email, ...made },
      text: `${fields({ User: id, 'E-mail': user.email, Password: made.password })}
All sessions of the user have ended.${asks ? '' : ' The password is shown only once.'}`,
    };
  });
};

const makeSignInLink = ({ useInstallation }: CommandDeps, who: string): Promise<Answer> =>
  useInstallation(async ({ config, db }) => {
    // Where the service is, which may have other settings than this shell.
    const { baseUrl } = settingsInForce(describeSettings(config), await listProcesses(db));
    const user = found('user', await findUser(db, who));
    const link = found('user', await createSignInLink(db, { userId: user.id, baseUrl }));
    const id = showId('user', user.id);
    return {
      document: { id, email: user.email, link },
      text: `${fields({ User: id, 'E-mail': user.email, 'Sign in': link })}
The link signs the user in once, within an hour. It is shown this once: whoever has it is the user.`,
    };
  });

const checked = (password: string): string => {
  const { success, error } = passwordText.safeParse(password);
  if (success) return password;
  throw new UsageError(`The password: ${error.issues.map(({ message }) => message).join('; ')}.`);
};
