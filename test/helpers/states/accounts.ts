import type { Plan } from '../../../src/shared/accounts/plans.ts';
import { setPlan } from '../../../src/shared/accounts/queries.ts';
import type { Role } from '../../../src/shared/accounts/schema.ts';
import type { Database, Sql } from '../../../src/shared/platform/db/connect.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { toldTransact } from '../told-topics.ts';

// States of accounts, their users, keys and sessions. The first is made by the product's own writer.

/** Moves an account to another plan. */
export const movePlan = (db: Database, accountId: string, plan: Plan): Promise<void> =>
  toldTransact(db)((tx) => setPlan(tx, accountId, plan));

// ---- What no writer makes, and why tests need it.

/** The only user of an account, in a role in which the product leaves nobody alone: a test needs no second user then. */
export const setRole = async (sql: Sql, userId: string, role: Role): Promise<void> => {
  await sql`update users set role = ${role} where id = ${userId}`;
};

/** A further user of an account, whose password nobody knows: to make one would take the test its time. Answers its UUID. */
export const aColleague = async (sql: Sql, accountId: string, role: Role): Promise<string> => {
  const id = newUuid();
  await sql`
    insert into users (id, account_id, email, password_hash, role)
    values (${id}, ${accountId}, ${`${id}@example.com`}, '', ${role})`;
  return id;
};

/** Time passes: the mails of an account were written so much earlier. */
export const ageMails = async (sql: Sql, accountId: string, { minutes }: { minutes: number }): Promise<void> => {
  await sql`update mails set created_at = created_at - make_interval(mins => ${minutes}) where account_id = ${accountId}`;
};

/** Time passes: the links of an invitation or user, a UUID, were sent so much earlier. */
export const ageLinks = async (sql: Sql, id: string, { hours }: { hours: number }): Promise<void> => {
  await sql`
    update link_tokens set expires_at = expires_at - make_interval(hours => ${hours})
    where ${id} in (invitation_id, user_id, sign_in_user_id)`;
};

/** What a change of the password does to the links that sign a user in, alone: a test holds the rest of it back. */
export const forgetSignInLinks = async (sql: Sql, userId: string): Promise<void> => {
  await sql`delete from link_tokens where sign_in_user_id = ${userId}`;
};

/** Time passes: the sessions of a user, or a single one, were last used so much earlier; `id` is the user's or the session's UUID. */
export const ageSessions = async (sql: Sql, id: string, { minutes }: { minutes: number }): Promise<void> => {
  await sql`
    update sessions set last_used_at = last_used_at - make_interval(mins => ${minutes}) where ${id} in (user_id, id)`;
};

/** Time passes: the sessions of a user have reached their longest life. */
export const expireSessions = async (sql: Sql, userId: string): Promise<void> => {
  await sql`update sessions set expires_at = now() where user_id = ${userId}`;
};

/** Time passes: a key was last used, and revoked where it was, so much earlier. */
export const ageKey = async (sql: Sql, keyId: string, { minutes }: { minutes: number }): Promise<void> => {
  const ago = sql`make_interval(mins => ${minutes})`;
  await sql`
    update api_keys set last_used_at = last_used_at - ${ago}, revoked_at = revoked_at - ${ago} where id = ${keyId}`;
};

/** Time passes: the networks of a user were last used so many days ago. */
export const ageNetworks = async (sql: Sql, userId: string, { days }: { days: number }): Promise<void> => {
  await sql`update user_networks set last_used_at = now() - make_interval(days => ${days}) where user_id = ${userId}`;
};

/** Time passes: the answer of an idempotency key was kept so many hours ago. */
export const ageIdempotencyKey = async (
  sql: Sql,
  { accountId, key, hours }: { accountId: string; key: string; hours: number },
): Promise<void> => {
  await sql`
    update idempotency_keys set created_at = now() - make_interval(hours => ${hours})
    where account_id = ${accountId} and key = ${key}`;
};

/** An installation with nobody in it, as before its first account: accounts are never deleted. */
export const removeAccounts = async (sql: Sql): Promise<void> => {
  await sql`truncate accounts cascade`;
};

/** An account without an owner: to make a password for each of many would take the test seconds. */
export const aBareAccount = async (sql: Sql, id: string = newUuid()): Promise<string> => {
  await sql`insert into accounts (id, name, plan, webhook_secret) values (${id}, 'Acme', 'pro', '')`;
  return id;
};

/** PostgreSQL gives up whatever deletes sessions, as when that takes too long. Answers what ends this. */
export const refuseToEndSessions = async (sql: Sql): Promise<() => Promise<void>> => {
  await sql.unsafe(`
    create function refuse_to_end() returns trigger language plpgsql as $$
      begin raise exception 'canceling statement' using errcode = '57014'; end $$;
    create trigger refuse_to_end before delete on sessions for each row execute function refuse_to_end();`);
  return async () => void (await sql`drop function refuse_to_end cascade`);
};

/** So many keys of an account, none of which anybody knows, in one statement: each would take its turn. */
export const haveManyKeys = async (
  sql: Sql,
  accountId: string,
  { count, isRevoked = false }: { count: number; isRevoked?: boolean },
): Promise<void> => {
  await sql`
    insert into api_keys (account_id, name, prefix, key_hash, revoked_at)
    select ${accountId}, 'Shop', '', uuid_send(uuidv7()), case when ${isRevoked} then now() end from generate_series(1, ${count}::int)`;
};
