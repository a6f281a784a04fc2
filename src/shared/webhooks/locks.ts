import { planLockClass } from '../accounts/plan-lock.ts';
import type { Sql } from '../platform/db/connect.ts';

/**
 * These advisory locks protect the decision whether a webhook may be sent to. Row locks would not do: PostgreSQL lets a new sharer of a row
 * pass an updater that waits, so a steady stream of sharers keeps the updater waiting for ever. Advisory locks are granted in turn.
 *
 * The account is locked first, then its webhooks in the order of their keys:
 * - whoever parks a delivery or begins a round shares account and webhook;
 * - whoever makes a webhook active, disabled or deleted shares the account and has the webhook exclusively;
 * - a plan change has the account exclusively: one lock for all webhooks, also those that are made meanwhile.
 *
 * Locks are held until the transaction ends. A lock is a statement of its own, and what decides is read in the next one: a statement that
 * waits still sees the state from before its wait.
 *
 * The keys are (class, hash of the id). Two ids with the same hash share a lock, which costs only an unnecessary wait.
 */
const webhookClass = 7_205_763;

/** Shares the locks of these webhooks, of any accounts, and of their plans: they stay as they are until the transaction ends. */
export const shareWebhooks = async (sql: Sql, webhookIds: readonly string[]): Promise<void> => {
  const webhooks = sql`webhooks where id = any(${[...new Set(webhookIds)]}::uuid[])`;
  await sql`
    select pg_advisory_xact_lock_shared(class, key) from (
      select ${planLockClass}::int as class, hashtext(account_id::text) as key from ${webhooks}
      union select ${webhookClass}, hashtext(id::text) from ${webhooks}
      order by class, key) as keys`;
};

/** Takes the lock of this webhook exclusively, and shares that of its plan. */
export const lockWebhook = async (sql: Sql, webhookId: string): Promise<void> => {
  await sql`
    select pg_advisory_xact_lock_shared(${planLockClass}, hashtext(account_id::text)) from webhooks where id = ${webhookId}`;
  await sql`select pg_advisory_xact_lock(${webhookClass}, hashtext(${webhookId}::uuid::text))`;
};
