import { planLockClass } from '../accounts/plan-lock.ts';
import type { Sql } from '../platform/db/connect.ts';

/**
 * Who may be sent to is decided under these locks, and under no row's: PostgreSQL lets a sharer of a row pass an updater that
 * waits, so that a steady stream of sharers keeps it waiting for ever; of an advisory lock everybody waits in turn.
 *
 * Always the account first, then its webhooks. A plan change takes the account alone: one lock, however many webhooks, also for
 * one that is made meanwhile, and no order among webhooks in which it could meet somebody halfway. Whoever parks a delivery or
 * begins a round shares account and webhook; whoever makes a webhook active, disabled or deleted shares the account and has the
 * webhook alone. Each is held until the transaction ends, and taken by itself: what decides is read in the next statement,
 * since a statement that waits still sees the state from before its wait.
 *
 * The keys are (class, hash of the id): two ids of one hash share a lock, which makes somebody wait for nothing and is no harm.
 */
const webhookClass = 7_205_763;

/** Keeps these webhooks, of any accounts, and their plans as they are, together with everybody else who does. */
export const shareWebhooks = async (sql: Sql, webhookIds: readonly string[]): Promise<void> => {
  const webhooks = sql`webhooks where id = any(${[...new Set(webhookIds)]}::uuid[])`;
  await sql`
    select pg_advisory_xact_lock_shared(class, key) from (
      select ${planLockClass}::int as class, hashtext(account_id::text) as key from ${webhooks}
      union select ${webhookClass}, hashtext(id::text) from ${webhooks}
      order by class, key) as keys`;
};

/** Has this webhook alone, and its plan as it is. */
export const lockWebhook = async (sql: Sql, webhookId: string): Promise<void> => {
  await sql`
    select pg_advisory_xact_lock_shared(${planLockClass}, hashtext(account_id::text)) from webhooks where id = ${webhookId}`;
  await sql`select pg_advisory_xact_lock(${webhookClass}, hashtext(${webhookId}::uuid::text))`;
};
