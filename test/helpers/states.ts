import type { Plan } from '../../src/shared/accounts/plans.ts';
import { setPlan } from '../../src/shared/accounts/queries.ts';
import type { Role } from '../../src/shared/accounts/schema.ts';
import { createTransact } from '../../src/shared/platform/dispatch/transact.ts';
import type { Variant } from '../../src/shared/events/names.ts';
import { createWebhook } from '../../src/shared/webhooks/manage.ts';
import type { Database, Sql } from '../../src/shared/platform/db/connect.ts';
import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { disableExhaustedWebhook } from '../../src/shared/deliveries/disable.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { deleteWebhook } from '../../src/shared/deliveries/delete-webhook.ts';
import { deleteWebhookRow, findWebhook } from '../../src/shared/webhooks/queries.ts';
import type { WebhookRow } from '../../src/shared/webhooks/schema.ts';
import { settleCheck } from '../../src/shared/webhooks/verify.ts';
import { aDelivery } from './deliveries.ts';

// States that tests begin from. Those above the line are made by the product's own writers.

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
  return (await settleCheck(sql, webhook, check)).activated;
};

/** A webhook of the dashboard whose endpoint nobody has asked yet. */
export const anUnverifiedWebhook = async (sql: Sql, accountId: string): Promise<string> => {
  const webhook = { id: newUuid(), accountId, variant: 'dashboard', url: 'https://a.example/', events: ['*'] } as const;
  return (await createWebhook(sql, { ...webhook, secret: null })).id;
};

/** Deletes a webhook; its unfinished deliveries are cancelled. */
export const removeWebhook = async (db: Database, id: string): Promise<void> => {
  const { accountId, variant } = await readWebhook(db, id);
  await deleteWebhook({ transact: createTransact(db, () => {}) }, { accountId, variants: [variant] }, id);
};

/** Marks every webhook as deleted, so that none of an earlier test hears of what comes; their deliveries stay as they are. */
export const retireWebhooks = async (sql: Sql): Promise<void> => {
  const webhooks = await sql<{ id: string; accountId: string; variant: Variant }[]>`
    select id, account_id, variant from webhooks where deleted_at is null`;
  for (const { id, accountId, variant } of webhooks)
    await deleteWebhookRow(sql, { accountId, variants: [variant] }, id);
};

/** Moves an account to another plan. */
export const movePlan = (db: Database, accountId: string, plan: Plan): Promise<void> =>
  createTransact(db, () => {})((tx) => setPlan(tx, accountId, plan));

// ---- What no writer makes, and why tests need it.

/** Nothing makes another user than the owner yet; what an agent may do is decided already. */
export const setRole = async (sql: Sql, userId: string, role: Role): Promise<void> => {
  await sql`update users set role = ${role} where id = ${userId}`;
};

/** Time passes: the sweep's look at a delivery is due. */
export const makeOverdue = async (sql: Sql, deliveryId: string): Promise<void> => {
  await sql`update deliveries set sweep_at = now() - interval '1 second' where id = ${deliveryId}`;
};

/** A log without what earlier tests have left in it. */
export const emptyLog = async (sql: Sql): Promise<void> => {
  await sql`delete from deliveries`;
};
