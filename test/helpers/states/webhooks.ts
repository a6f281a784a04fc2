import type { Variant } from '../../../src/shared/facts/names.ts';
import { deleteWebhook } from '../../../src/shared/deliveries/delete-webhook.ts';
import { createWebhook } from '../../../src/shared/webhooks/manage.ts';
import type { Database, Sql } from '../../../src/shared/platform/db/connect.ts';
import { noEvidence, recordAttempt } from '../../../src/shared/deliveries/attempts.ts';
import { disableExhaustedWebhook } from '../../../src/shared/deliveries/disable.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { deleteWebhookRow, findWebhook } from '../../../src/shared/webhooks/queries.ts';
import type { WebhookRow } from '../../../src/shared/webhooks/schema.ts';
import { settleCheck } from '../../../src/shared/webhooks/verify.ts';
import { aDelivery } from '../deliveries.ts';
import { untold } from '../untold.ts';
import { toldTransact } from '../told-topics.ts';

// States of webhooks that tests begin from. Those above the line are made by the product's own writers.

/** A webhook as the product reads it. */
const readWebhook = async (sql: Sql, id: string): Promise<WebhookRow> => {
  const [owner] = await sql<{ accountId: string }[]>`select account_id from webhooks where id = ${id}`;
  const scope = { accountId: owner?.accountId ?? '', variants: ['api', 'dashboard'] } as const;
  const webhook = owner && (await findWebhook(sql, scope, id));
  if (!webhook) throw new Error(`no webhook ${id}`);
  return webhook;
};

/** Disables an active webhook for its failures: those of a delivery that is in the log no more afterwards. Answers whether it was active. */
export const disableWebhook = async (sql: Sql, id: string): Promise<boolean> => {
  const { accountId, generation, variant } = await readWebhook(sql, id);
  const deliveryId = await aDelivery(sql, { accountId, webhookId: id, variant, status: 'pending' });
  const outcome = { outcome: 'failed', reason: 'status', statusCode: 500, durationMs: 1 } as const;
  const last = { deliveryId, round: 1, kind: 'scheduled', number: 6 } as const;
  await recordAttempt(sql, last, { ...outcome, startedAt: new Date(), generation, evidence: noEvidence });
  const disabled = await disableExhaustedWebhook(sql, { deliveryId, round: 1 });
  await sql`delete from attempts where delivery_id = ${deliveryId}`;
  await sql`delete from deliveries where id = ${deliveryId}`;
  return disabled !== undefined;
};

/** Makes a webhook active, as a check does that found its endpoint well. Answers false when it was changed meanwhile. */
export const activateWebhook = async (sql: Sql, id: string): Promise<boolean> => {
  const webhook = await readWebhook(sql, id);
  const seen = { latency_ms: 1, address: null, reason: null, message: null, status: 200, excerpt: '' };
  const check = { ...seen, at: new Date().toISOString(), url: webhook.pendingUrl ?? webhook.url, ok: true };
  return (await settleCheck(untold(sql), webhook, check)).activated;
};

/** A webhook of the dashboard whose endpoint nobody has asked yet. */
export const anUnverifiedWebhook = async (sql: Sql, accountId: string, url = 'https://a.example/'): Promise<string> => {
  const webhook = { id: newUuid(), accountId, variant: 'dashboard', url, events: ['*'] } as const;
  return (await createWebhook(untold(sql), { ...webhook, secret: null })).id;
};

/** Deletes a webhook; its unfinished deliveries are cancelled. */
export const removeWebhook = async (db: Database, id: string): Promise<void> => {
  const { accountId, variant } = await readWebhook(db, id);
  await deleteWebhook({ transact: toldTransact(db) }, { accountId, variants: [variant] }, id);
};

/** Marks every webhook as deleted, so that none of an earlier test hears of what comes; their deliveries stay as they are. */
export const retireWebhooks = async (sql: Sql): Promise<void> => {
  const webhooks = await sql<{ id: string; accountId: string; variant: Variant }[]>`
    select id, account_id, variant from webhooks where deleted_at is null`;
  for (const { id, accountId, variant } of webhooks)
    await deleteWebhookRow(sql, { accountId, variants: [variant] }, id);
};

// ---- What no writer makes, and why tests need it.

/** Version 0.2 replaces a secret: nothing is kept of the one before. */
export const replaceSecretAs02 = async (sql: Sql, id: string, sealed: Buffer): Promise<void> => {
  await sql`update webhooks set secret = ${sealed}, generation = generation + 1 where id = ${id}`;
};

/** A secret that does not open, as after damage or a mistaken hand. */
export const putSealedSecret = async (sql: Sql, id: string, sealed: Buffer): Promise<void> => {
  await sql`update webhooks set secret = ${sealed} where id = ${id}`;
};

/** Replaced secrets that do not open: one bit of each has turned. */
export const damagePreviousSecrets = async (sql: Sql): Promise<void> => {
  await sql`update webhooks set previous_secret = set_byte(previous_secret, 30, get_byte(previous_secret, 30) # 1)`;
};

/** Time passes: replaced secrets have signed on for so many hours more. */
export const agePreviousSecrets = async (sql: Sql, hours: number): Promise<void> => {
  const ago = sql`make_interval(hours => ${hours})`;
  await sql`update webhooks set previous_secret_until = previous_secret_until - ${ago}`;
  await sql`update accounts set previous_webhook_secret_until = previous_webhook_secret_until - ${ago}`;
  await sql`update channels set previous_secret_until = previous_secret_until - ${ago}`;
};

/** Time passes: the webhook has been disabled since then. */
export const setDisabledAt = async (sql: Sql, id: string, at: string): Promise<void> => {
  await sql`update webhooks set disabled_at = ${at} where id = ${id}`;
};

/** So many webhooks that an account has deleted, the first so many days ago and the last just now, in one statement: writers would take a minute. */
export const haveDeletedWebhooks = async (
  sql: Sql,
  accountId: string,
  { count, daysAgo = 0 }: { count: number; daysAgo?: number },
): Promise<void> => {
  await sql`
    insert into webhooks (account_id, variant, url, events, secret, status, created_at, deleted_at, deliveries_cancelled_at)
    select ${accountId}, 'api', 'https://gone.example/', '{*}', '', 'active', now() - interval '1 year', at, at
    from (select now() - make_interval(days => ${daysAgo}) * (1 - i::float8 / ${count}::int) as at from generate_series(1, ${count}::int) i) as deleted`;
};

/** A webhook that was deleted so many days ago, null for one that is there, and whether its deliveries are cancelled; answers its UUID. */
export const aWebhookDeletedAgo = async (
  sql: Sql,
  accountId: string,
  { daysAgo, isCancelled = true }: { daysAgo: number | null; isCancelled?: boolean },
): Promise<string> => {
  const [row] = await sql<[{ id: string }]>`
    insert into webhooks (account_id, variant, url, events, secret, status, created_at, deleted_at, deliveries_cancelled_at)
    select ${accountId}, 'api', 'https://gone.example/', '{*}', '', 'active', now() - interval '1 year', at, case when ${isCancelled} then at end
    from (select now() - make_interval(days => ${daysAgo}) as at) as deleted returning id`;
  return row.id;
};
