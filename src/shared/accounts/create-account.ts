import type { Sql } from '../platform/db/connect.ts';
import { newUuid } from '../ids.ts';
import { createPassword, hashPassword } from '../platform/secrets/passwords.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { mintApiKey } from './api-keys.ts';
import { normalizeEmail } from './email.ts';
import type { NewAccount } from './schema.ts';
import { refuseTakenEmail } from './taken-email.ts';
import { createSigningSecret } from '../signing/create-secret.ts';

type Deps = { sql: Sql; secrets: Secrets };

/** What is shown once of a new account; ids are UUIDs. The password and the key are in clear only here. */
export type CreatedAccount = { accountId: string; userId: string; email: string; password: string; apiKey: string };

/**
 * Creates an account with its owner, a first API key and the secret of its dashboard webhooks. Throws `conflict` when the e-mail address
 * belongs to a user already.
 */
export const createAccount = async (
  deps: Deps,
  { password = createPassword(), ...account }: NewAccount,
): Promise<CreatedAccount> => {
  const passwordHash = await hashPassword(password);
  return { ...(await insertAccount(deps, { ...account, passwordHash })), password };
};

type HashedAccount = Omit<NewAccount, 'password'> & { passwordHash: string };

/** The same, in one statement, where the password is hashed already. */
export const insertAccount = async (
  { sql, secrets }: Deps,
  { name, email: given, owner_name: ownerName, plan, passwordHash, time_zone = 'UTC' }: HashedAccount,
): Promise<Omit<CreatedAccount, 'password'>> => {
  const email = normalizeEmail(given);
  const [accountId, userId] = [newUuid(), newUuid()];
  const key = mintApiKey();
  const secret = secrets.seal(createSigningSecret(), { accountId, rowId: accountId });
  await sql`
    with account as (
      insert into accounts (id, name, plan, webhook_secret, time_zone)
      values (${accountId}, ${name}, ${plan}, ${secret}, ${time_zone})
    ), owner as (
      insert into users (id, account_id, email, name, password_hash, role)
      values (${userId}, ${accountId}, ${email}, ${ownerName ?? null}, ${passwordHash}, 'owner')
    )
    insert into api_keys (account_id, name, prefix, key_hash) values (${accountId}, 'First key', ${key.prefix}, ${key.hash})`.catch(
    refuseTakenEmail,
  );
  return { accountId, userId, email, apiKey: key.value };
};
