import { found, notFound } from '../errors.ts';
import type { Database, Sql } from '../platform/db/connect.ts';
import type { Transact } from '../platform/dispatch/transact.ts';
import { lockWebhook } from '../webhooks/locks.ts';
import { deleteWebhookRow, findWebhook, type WebhookScope } from '../webhooks/queries.ts';

/** The most deliveries that one transaction cancels, which takes a fraction of a second. */
const batchSize = 1_000;

/**
 * Deletes a webhook, which is sent nothing from then on. A batch of its unfinished deliveries is cancelled at once, the others by
 * `cancelDeleted`. Throws `not_found`.
 */
export const deleteWebhook = ({ transact }: { transact: Transact }, scope: WebhookScope, id: string): Promise<void> =>
  transact(async ({ sql }) => {
    // Asked before the lock, which nobody takes of another account's webhook.
    found('webhook', await findWebhook(sql, scope, id));
    await lockWebhook(sql, id);
    if (!(await deleteWebhookRow(sql, scope, id))) throw notFound('webhook');
    await cancelBatch(sql, id);
  });

/**
 * Cancels the unfinished deliveries of deleted webhooks, batch by batch, until nothing is left or `signal` aborts. It also finds what a crash
 * has left. Any number of processes may do so at the same time, because each batch locks its webhook.
 */
export const cancelDeleted = async (db: Database, signal?: AbortSignal): Promise<void> => {
  for (;;) {
    if (signal?.aborted) return;
    const advanced = await db.begin(async (sql) => {
      const [webhook] = await sql<{ id: string }[]>`
        select id from webhooks where deleted_at is not null and deliveries_cancelled_at is null
        order by deleted_at limit 1 for update skip locked`;
      if (!webhook) return false;
      // Rows that another process has locked are left for the next turn.
      return (await cancelBatch(sql, webhook.id)) > 0 || markCancelled(sql, webhook.id);
    });
    if (!advanced) return;
  }
};

/**
 * Cancels a batch of a deleted webhook's unfinished deliveries and answers how many. The deletion had the webhook's lock, so nothing is
 * parked after it.
 */
const cancelBatch = async (sql: Sql, webhookId: string): Promise<number> => {
  const { count } = await sql`
    with batch as (
      select id from deliveries where webhook_id = ${webhookId} and status in ('pending', 'retrying', 'parked')
      limit ${batchSize} for update skip locked)
    update deliveries d set status = 'cancelled', finished_at = clock_timestamp(), next_attempt_at = null, sweep_at = null
    from batch where d.id = batch.id`;
  return count;
};

/** Notes that no delivery is left. False while there is one. */
const markCancelled = async (sql: Sql, webhookId: string): Promise<boolean> => {
  const { count } = await sql`
    update webhooks set deliveries_cancelled_at = clock_timestamp()
    where id = ${webhookId} and not exists (
      select from deliveries where webhook_id = ${webhookId} and status in ('pending', 'retrying', 'parked'))`;
  return count > 0;
};
