import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction, Writer } from '../facts/tell.ts';
import { notFound } from '../errors.ts';
import { lockPlan } from './plan-lock.ts';
import type { Plan } from './plans.ts';
import type { AccountChanges, AccountRow } from './schema.ts';

const columns = (sql: Sql) => sql`id, name, plan, time_zone, default_country, strict_fields, created_at,
  (select u.email from users u where u.account_id = accounts.id and u.role = 'owner' order by u.id limit 1) as email`;

/** An account, or undefined; `id` is its UUID. */
export const findAccount = async (sql: Sql, id: string): Promise<AccountRow | undefined> => {
  const [account] = await sql<AccountRow[]>`select ${columns(sql)} from accounts where id = ${id}`;
  return account;
};

/** The time zone of an account, UTC where there is no such account. */
export const findAccountZone = async (sql: Sql, id: string): Promise<string> => {
  const [account] = await sql<{ timeZone: string }[]>`select time_zone from accounts where id = ${id}`;
  return account?.timeZone ?? 'UTC';
};

/** Changes the settings that are given, and notes that runs are to be woken by another clock. Undefined when there is no such account. */
export const updateAccount = async (
  { sql, tell }: Writer,
  id: string,
  { name, time_zone, default_country, strict_fields }: AccountChanges,
): Promise<AccountRow | undefined> => {
  const [account] = await sql<AccountRow[]>`
    with changed as (
      update accounts set name = coalesce(${name ?? null}, name), time_zone = coalesce(${time_zone ?? null}, time_zone),
        strict_fields = coalesce(${strict_fields ?? null}, strict_fields)
        ${default_country === undefined ? sql`` : sql`, default_country = ${default_country}`}
      where id = ${id} returning ${columns(sql)}
    ), noted as (
      insert into clock_changes (account_id) select id from changed where ${time_zone !== undefined}
      on conflict (account_id) do update set last_run_id = null, woken = 0
    )
    select * from changed`;
  if (account) await tell(changed(id, 'account'));
  return account;
};

/** The country whose phone numbers need no code in the account; null where every number needs it. */
export const findDefaultCountry = async (sql: Sql, id: string): Promise<string | null> => {
  const [account] = await sql<
    { defaultCountry: string | null }[]
  >`select default_country from accounts where id = ${id}`;
  return account?.defaultCountry ?? null;
};

/** All accounts of the installation, oldest first. Only for the operator. */
export const listAccounts = (sql: Sql): Promise<AccountRow[]> => sql<AccountRow[]>`
  select ${columns(sql)} from accounts order by id`;

/**
 * Moves an account to another plan. It waits for transactions that are parking a delivery because of the old plan. What they park is found
 * afterwards, and later ones see the new plan. Throws `not_found`.
 */
export const setPlan = async (tx: EventTransaction, accountId: string, plan: Plan): Promise<void> => {
  await lockPlan(tx.sql, accountId);
  const { count } =
    await tx.sql`update accounts set plan = ${plan}, plan_changed_at = clock_timestamp() where id = ${accountId} returning id`;
  if (count === 0) throw notFound('account');
  await tx.tell(changed(accountId, 'account'));
};
