import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount, type CreatedAccount } from '../shared/accounts/create-account.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import type { Secrets } from '../shared/platform/secrets/seal.ts';

/** The advisory lock under which one process makes the first account. */
const firstAccountLock = 7_205_761;

/** Makes the account that a new installation starts with, on plan pro. Undefined when there is an account already. */
export const createFirstAccount = ({
  db,
  secrets,
}: {
  db: Database;
  secrets: Secrets;
}): Promise<CreatedAccount | undefined> =>
  db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${firstAccountLock})`;
    const [existing] = await sql`select 1 from accounts limit 1`;
    if (existing) return undefined;
    const owner = { owner_name: 'Owner', email: 'owner@localhost.localdomain' };
    return createAccount({ sql, secrets }, { name: 'My company', ...owner, plan: 'pro' });
  });

/** Shows the password, the API key and the link that signs in, once: on the terminal, or in a file that only its owner may read. */
export const tellCredentials = async (
  { email, password, apiKey, link }: CreatedAccount & { link: string },
  { dataDir, isTerminal, say }: { dataDir: string; isTerminal: boolean; say: (line: string) => void },
): Promise<void> => {
  const lines = [`E-mail    ${email}`, `Password  ${password}`, `API key   ${apiKey}`, `Sign in   ${link}`];
  if (isTerminal) {
    say('Your account, on plan pro. The password and the key are shown this once:');
    for (const line of lines) say(`  ${line}`);
    say('Open the sign-in link. It works once, within an hour.');
    return;
  }
  const file = join(dataDir, 'first-account.txt');
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  say(
    `Your account, on plan pro. ${file} has its password, API key and a sign-in link, which works once, within an hour. Delete the file afterwards.`,
  );
};
