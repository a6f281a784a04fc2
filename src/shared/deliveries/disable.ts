import type { Sql } from '../platform/db/connect.ts';
import { lockWebhook } from '../webhooks/locks.ts';
import type { Round } from './rounds.ts';
import type { FailureReason } from './types.ts';

export type DisabledWebhook = {
  webhookId: string;
  accountId: string;
  url: string;
  generation: number;
  recipient: string;
  recipientName: string | null;
  disabledAt: Date;
  /** The time of the first of the six attempts. */
  failingSince: Date;
  /** The outcome of the last attempt; `statusCode` is null without an answer. */
  lastFailure: { reason: FailureReason; statusCode: number | null } | null;
};

/** Who gets the account's mails. */
const ofFirstOwner = (sql: Sql, column: 'email' | 'name') => sql`(
  select ${sql(column)} from users u where u.account_id = w.account_id and u.role = 'owner' order by u.id limit 1)`;

/**
 * Disables the webhook of an exhausted delivery if its failures were consecutive: no delivery to it has succeeded since this round's first attempt,
 * and its generation is the same (nobody re-enabled it or changed url or secret). Locks the webhook, so that deliveries that are exhausted together
 * disable it once.
 */
export const disableExhaustedWebhook = async (
  sql: Sql,
  { deliveryId, round }: Round,
): Promise<DisabledWebhook | undefined> => {
  const [delivery] = await sql<{ webhookId: string }[]>`select webhook_id from deliveries where id = ${deliveryId}`;
  if (!delivery) return undefined;
  await lockWebhook(sql, delivery.webhookId);
  const [disabled] = await sql<DisabledWebhook[]>`
    update webhooks w
    set status = 'disabled', disabled_reason = 'failures', disabled_at = clock_timestamp(), updated_at = clock_timestamp()
    from deliveries d
    where d.id = ${deliveryId} and d.round = ${round} and d.in_progress
      and w.id = d.webhook_id and w.status = 'active' and w.deleted_at is null and w.generation = d.first_attempt_generation
      and not exists (
        select from deliveries success
        where success.webhook_id = w.id and success.succeeded_at > d.first_attempt_at and not success.is_test)
    returning w.id as webhook_id, w.account_id, w.url, w.generation, w.disabled_at, d.first_attempt_at as failing_since,
      (select json_build_object('reason', t.reason, 'statusCode', t.status_code) from attempts t
        where t.delivery_id = d.id and t.round = d.round and t.kind = 'scheduled'
        order by t.number desc limit 1) as last_failure,
      ${ofFirstOwner(sql, 'email')} as recipient, ${ofFirstOwner(sql, 'name')} as recipient_name`;
  return disabled;
};

/** Also true when another delivery disabled the webhook. */
export const isWebhookDisabled = async (sql: Sql, { deliveryId }: Pick<Round, 'deliveryId'>): Promise<boolean> => {
  const disabled = await sql`
    select from webhooks where id = (select webhook_id from deliveries where id = ${deliveryId}) and status = 'disabled'`;
  return disabled.length > 0;
};
