import type { Database, Sql } from '../platform/db/connect.ts';
import type { Transact } from '../platform/dispatch/transact.ts';
import { recordHealthCheck } from '../deliveries/health-checks.ts';
import { judgeExchange } from '../deliveries/judge-exchange.ts';
import type { Egress } from '../platform/egress/client.ts';
import { notFound } from '../errors.ts';
import { showId } from '../ids.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { sendChallenge, sendHealthCheck } from './challenge.ts';
import {
  activateWebhook,
  findOldestParked,
  findSealedSecrets,
  findWebhook,
  recordCheck,
  type WebhookRow,
} from './queries.ts';
import type { EndpointCheck } from './schema.ts';
import { openSigningSecrets, type SigningSecrets } from './signing-secrets.ts';

type CheckDeps = { db: Database; egress: Egress; secrets: Secrets };

/**
 * Asks the endpoint of a webhook, and takes url and webhook into force when it passes; answers the webhook as it is then.
 * No transaction is open while the endpoint is asked: what was changed meanwhile stands, and the outcome is not applied to it.
 */
export const checkWebhook = async (
  deps: CheckDeps & { transact: Transact },
  webhook: WebhookRow,
): Promise<WebhookRow> => {
  const check = await askEndpoint(deps, webhook);
  const { webhook: settled } = await deps.transact(({ sql }) => settleCheck(sql, webhook, check));
  return settled;
};

/**
 * Applies what `askEndpoint` found of the webhook as it was read, unless that was changed since, and answers it as it is then;
 * in a transaction, for its locks. `activated` when this check made it active. Throws `not_found`.
 */
export const settleCheck = async (
  sql: Sql,
  webhook: WebhookRow,
  check: EndpointCheck,
): Promise<{ webhook: WebhookRow; activated: boolean }> => {
  const { id, accountId, variant } = webhook;
  const settled = check.ok ? await activateWebhook(sql, webhook, check) : await recordCheck(sql, id, check);
  const row = settled ?? (await findWebhook(sql, { accountId, variants: [variant] }, id));
  if (!row) throw notFound('webhook');
  return { webhook: row, activated: check.ok && settled !== undefined };
};

/**
 * Variant B is asked for its consent. Variant A gets its oldest parked delivery: evidence that the endpoint takes real
 * deliveries again. It stands among that delivery's attempts and counts for none: the delivery stays parked until its owner
 * replays it; receivers discard the repeated id (specification 6.2).
 */
export const askEndpoint = async (deps: CheckDeps, webhook: WebhookRow): Promise<EndpointCheck> => {
  const { db, egress } = deps;
  const { accountId, pendingUrl, url } = webhook;
  const endpoint = { accountId, url: pendingUrl ?? url, ...(await openSecrets(deps, webhook)) };
  if (webhook.variant === 'dashboard') return sendChallenge(egress, endpoint);
  const parked = await findOldestParked(db, webhook.id);
  const asked = await sendHealthCheck(
    egress,
    endpoint,
    parked && { id: showId('delivery', parked.id), body: parked.body },
  );
  if (parked && asked.exchange.type !== 'busy') {
    const outcome = judgeExchange(webhook.variant, asked.exchange, asked.headers);
    const round = { deliveryId: parked.id, round: parked.round };
    await recordHealthCheck(db, round, { ...outcome, startedAt: parked.readAt });
  }
  return asked.check;
};

const openSecrets = async ({ db, secrets }: CheckDeps, { id, accountId }: WebhookRow): Promise<SigningSecrets> => {
  const sealed = await findSealedSecrets(db, id);
  if (!sealed) throw notFound('webhook');
  return openSigningSecrets(secrets, { accountId, webhookId: id }, sealed);
};
