import type { Plan } from '../accounts/plans.ts';
import type { Database, Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransact, Writer } from '../facts/tell.ts';
import type { Egress } from '../platform/egress/client.ts';
import { RequestError, found, invalid } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { requirePlan } from './preconditions.ts';
import {
  findWebhook,
  insertWebhook,
  lockSecret,
  updateApiWebhook,
  updateDashboardWebhook,
  type NewWebhookRow,
  type WebhookScope,
} from './queries.ts';
import { foreignEvents, webhooksPerAccount, type WebhookChanges, type WebhookRow } from './schema.ts';
import { sealPrevious } from '../signing/secrets.ts';
import { findUrlProblems } from '../signing/url.ts';
import { checkWebhook } from './verify.ts';

/** What the functions of this file need. */
type WebhookDeps = { db: Database; transact: EventTransact; egress: Egress; secrets: Secrets };

/**
 * Prepares a new webhook: of variant A when it brings a secret, else of variant B. It asks a name server, for which no transaction may wait.
 * Throws `plan_required`, and `invalid_request` for a url that may not be called (specification 1.5, 2.1).
 */
export const prepareWebhook = async (
  { egress, secrets }: WebhookDeps,
  { accountId, plan }: { accountId: string; plan: Plan },
  { url, events, secret }: { url: string; events: readonly string[]; secret?: string },
): Promise<NewWebhookRow> => {
  requirePlan(plan);
  const problems = await findUrlProblems(egress, { accountId, url });
  if (problems.length > 0) throw invalid(problems);
  const id = newUuid();
  if (secret === undefined) return { id, accountId, variant: 'dashboard', url, events, secret: null };
  return { id, accountId, variant: 'api', url, events, secret: secrets.seal(secret, { accountId, rowId: id }) };
};

/**
 * Registers a webhook. Variant A is active at once (specification 3); variant B is unverified until `checkWebhook` has succeeded. Throws
 * `conflict` when the account has too many.
 */
export const createWebhook = async ({ sql, tell }: Writer, webhook: NewWebhookRow): Promise<WebhookRow> => {
  const row = await insertWebhook(sql, webhook, webhooksPerAccount);
  if (row) {
    await tell(changed(webhook.accountId, 'webhooks'));
    return row;
  }
  const { present, withDeleted } = webhooksPerAccount;
  throw new RequestError(
    'conflict',
    `An account has at most ${present} webhooks, or ${withDeleted} including deleted ones with deliveries in the log.`,
  );
};

/** A webhook of the scope; throws `not_found`. */
export const getWebhook = async (sql: Sql, scope: WebhookScope, id: string): Promise<WebhookRow> =>
  found('webhook', await findWebhook(sql, scope, id));

/**
 * Changes url, events or (variant A) secret. A's changes are in force at once. B's new url takes force when its challenge has passed; the
 * answer waits for that. Throws `not_found`, `invalid_request`.
 */
export const updateWebhook = async (
  deps: WebhookDeps,
  scope: WebhookScope,
  { id, changes: { url, events, secret } }: { id: string; changes: WebhookChanges },
): Promise<WebhookRow> => {
  const { variant, accountId } = await getWebhook(deps.db, scope, id);
  const foreign = foreignEvents(variant, events ?? []);
  const problems = [
    ...(foreign.length > 0 ? [{ path: 'events', message: `not for a dashboard webhook: ${foreign.join(', ')}` }] : []),
    ...(url === undefined ? [] : await findUrlProblems(deps.egress, { accountId, url })),
  ];
  if (problems.length > 0) throw invalid(problems);
  if (variant === 'api') {
    return deps.transact(async ({ sql, tell }) => {
      const next = secret === undefined ? undefined : await replaceSecret({ ...deps, sql }, { accountId, id, secret });
      await tell(changed(accountId, 'webhooks'));
      return found('webhook', await updateApiWebhook(sql, id, { url, events, secret: next }));
    });
  }
  const row = await deps.transact(async ({ sql, tell }) => {
    await tell(changed(accountId, 'webhooks'));
    return found('webhook', await updateDashboardWebhook(sql, id, { url, events }));
  });
  const unproven = row.status === 'disabled' || row.pendingUrl !== null;
  return url !== undefined && unproven ? checkWebhook(deps, row) : row;
};

/** The new secret of a webhook, and the replaced one, which signs beside it for a day. Undefined when they are the same. */
const replaceSecret = async (
  { sql, secrets }: { sql: Sql; secrets: Secrets },
  { accountId, id, secret }: { accountId: string; id: string; secret: string },
) => {
  const place = { accountId, rowId: id };
  const replaced = found('webhook', await lockSecret(sql, id));
  const previous = sealPrevious(secrets, place, { replaced, next: secret });
  return previous === undefined ? undefined : { secret: secrets.seal(secret, place), previous };
};

/** A webhook whose challenge may be sent again: one of variant B. Throws `not_found`, and `conflict` for variant A. */
export const getVerifiableWebhook = async (sql: Sql, scope: WebhookScope, id: string): Promise<WebhookRow> => {
  const webhook = await getWebhook(sql, scope, id);
  if (webhook.variant === 'api') throw new RequestError('conflict', 'Webhooks registered by the API are not verified.');
  return webhook;
};

/** A webhook that may be re-enabled (specification 3). Throws `not_found`, and `conflict` for an active one. */
export const getDisabledWebhook = async (sql: Sql, scope: WebhookScope, id: string): Promise<WebhookRow> => {
  const webhook = await getWebhook(sql, scope, id);
  if (webhook.status === 'active') throw new RequestError('conflict', 'This webhook is active.');
  return webhook;
};
