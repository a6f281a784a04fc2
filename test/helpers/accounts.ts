import { randomBytes } from 'node:crypto';
import { insertAccount, type CreatedAccount } from '../../src/shared/accounts/create-account.ts';
import type { Plan } from '../../src/shared/accounts/plans.ts';
import type { Database } from '../../src/shared/platform/db/connect.ts';
import type { Variant } from '../../src/shared/facts/names.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { hashPassword } from '../../src/shared/platform/secrets/passwords.ts';
import type { Secrets } from '../../src/shared/platform/secrets/seal.ts';
import { createWebhook } from '../../src/shared/webhooks/manage.ts';
import { activateWebhook } from './states/webhooks.ts';
import { untold } from './untold.ts';

type Deps = { db: Database; secrets: Secrets };

/** Of the passwords of this worker: argon2 takes longer than the rest of most tests. */
const hashes = new Map<string, Promise<string>>();

const hashOnce = (password: string): Promise<string> => {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
};

/** A new account with its owner and its first key; ids are UUIDs. Accounts with the same password have the same hash of it. */
export const anAccount = async (
  { db, secrets }: Deps,
  {
    plan = 'pro',
    email = `${randomBytes(6).toString('hex')}@example.com`,
    password = 'correct horse',
  }: { plan?: Plan; email?: string; password?: string } = {},
): Promise<CreatedAccount> => {
  const passwordHash = await hashOnce(password);
  return { ...(await insertAccount({ sql: db, secrets }, { name: 'Acme', email, plan, passwordHash })), password };
};

/** An active webhook of an account, subscribed to everything unless told otherwise; answers its UUID. */
export const insertWebhook = async (
  { db, secrets }: Deps,
  {
    accountId,
    url,
    variant = 'api',
    secret = 'a-secret',
    events = ['*'],
  }: { accountId: string; url: string; variant?: Variant; secret?: string; events?: string[] },
): Promise<string> => {
  const id = newUuid();
  const sealed = variant === 'api' ? secrets.seal(secret, { accountId, rowId: id }) : null;
  await createWebhook(untold(db), { id, accountId, variant, url, events, secret: sealed });
  if (variant === 'dashboard') await activateWebhook(db, id);
  return id;
};
