import { found, notFound } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransact } from '../facts/tell.ts';
import { lockWebhook } from '../webhooks/locks.ts';
import { deleteWebhookRow, findWebhook, type WebhookScope } from '../webhooks/queries.ts';

/** The most deliveries of one transaction, so that it holds its locks for a fraction of a second. */
const batchSize = 1_000;

/** Deletes a webhook and cancels a batch of its deliveries; `cancelDeleted` cancels the others. Throws `not_found`. */
export const deleteWebhook = (
  { transact }: { transact: EventTransact },
  scope: WebhookScope,
  id: string,
): Promise<void> =>
  transact(async ({ sql, tell }) => {
    // The scope is checked before the lock, so that no account locks another's webhook.
    found('webhook', await findWebhook(sql, scope, id));
    await lockWebhook(sql, id);
    if (!(await deleteWebhookRow(sql, scope, id))) throw notFound('webhook');
    await cancelBatch(sql, id);
    await tell(changed(scope.accountId, 'webhooks', 'deliveries'));
  });

/** Cancels deliveries of deleted webhooks until `signal` aborts, in any number of processes, because each batch locks its webhook. */
export const cancelDeleted = async ({ transact }: { transact: EventTransact }, signal?: AbortSignal): Promise<void> => {
  for (;;) {
    if (signal?.aborted) return;
    const advanced = await transact(async ({ sql, tell }) => {
      const [webhook] = await sql<{ id: string; accountId: string }[]>`
        select id, account_id from webhooks where deleted_at is not null and deliveries_cancelled_at is null
        order by deleted_at limit 1 for update skip locked`;
      if (!webhook) return false;
      await tell(changed(webhook.accountId, 'webhooks', 'deliveries'));
      // The next call cancels rows that are locked now.
      return (await cancelBatch(sql, webhook.id)) > 0 || markCancelled(sql, webhook.id);
    });
    if (!advanced) return;
  }
};

/** Answers the number cancelled. The deletion had the webhook's lock, so no delivery is parked after it. */
const cancelBatch = async (sql: Sql, webhookId: string): Promise<number> => {
  const { count } = await sql`
    with batch as (
      select id from deliveries where webhook_id = ${webhookId} and status in ('pending', 'retrying', 'parked')
      limit ${batchSize} for update skip locked)
    update deliveries d set status = 'cancelled', finished_at = clock_timestamp(), next_attempt_at = null, sweep_at = null
    from batch where d.id = batch.id`;
  return count;
};

/** Answers false while a delivery is left. */
const markCancelled = async (sql: Sql, webhookId: string): Promise<boolean> => {
  const { count } = await sql`
    update webhooks set deliveries_cancelled_at = clock_timestamp()
    where id = ${webhookId} and not exists (
      select from deliveries where webhook_id = ${webhookId} and status in ('pending', 'retrying', 'parked'))`;
  return count > 0;
};
