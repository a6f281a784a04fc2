import type { Database } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransact, Writer } from '../facts/tell.ts';
import type { Egress } from '../platform/egress/client.ts';
import { found } from '../errors.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { sendChallenge } from './challenge.ts';
import { activateWebhook, findSealedSecrets, findWebhook, recordCheck } from './queries.ts';
import type { EndpointCheck, WebhookRow } from './schema.ts';
import type { Endpoint } from '../signing/signed-post.ts';
import { openSigningSecrets } from './signing-secrets.ts';

/** What asking an endpoint needs. */
export type CheckDeps = { db: Database; egress: Egress; secrets: Secrets };

/**
 * Asks the endpoint of a webhook of variant B for its consent. When it consents, the url takes force and the webhook is active. Answers the
 * webhook as it is then. No transaction is open while the endpoint is asked, so the outcome is not applied to a webhook that was changed
 * meanwhile.
 */
export const checkWebhook = async (
  deps: CheckDeps & { transact: EventTransact },
  webhook: WebhookRow,
): Promise<WebhookRow> => {
  const check = await askForConsent(deps, webhook);
  const { webhook: settled } = await deps.transact((tx) => settleCheck(tx, webhook, check));
  return settled;
};

/**
 * Applies the outcome of a check to the webhook, unless it was changed since it was read, and answers it as it is then. Call it in a transaction,
 * because it takes locks. `activated`: this check made it active. Throws `not_found`.
 */
export const settleCheck = async (
  { sql, tell }: Writer,
  webhook: WebhookRow,
  check: EndpointCheck,
): Promise<{ webhook: WebhookRow; activated: boolean }> => {
  const { id, accountId, variant } = webhook;
  const settled = check.ok ? await activateWebhook(sql, webhook, check) : await recordCheck(sql, id, check);
  await tell(changed(accountId, 'webhooks'));
  const row = settled ?? (await findWebhook(sql, { accountId, variants: [variant] }, id));
  return { webhook: found('webhook', row), activated: check.ok && settled !== undefined };
};

/** Asks the endpoint of a webhook of variant B for its consent (specification 2.4). */
export const askForConsent = async (deps: CheckDeps, webhook: WebhookRow): Promise<EndpointCheck> =>
  sendChallenge(deps.egress, await findEndpoint(deps, webhook));

/** Where a webhook is, or is to be when a new url has passed, with what signs for it. Throws `not_found`. */
export const findEndpoint = async (
  { db, secrets }: Omit<CheckDeps, 'egress'>,
  { id, accountId, url, pendingUrl }: WebhookRow,
): Promise<Endpoint> => {
  const sealed = found('webhook', await findSealedSecrets(db, id));
  const signing = openSigningSecrets(secrets, { accountId, webhookId: id, ...sealed });
  return { accountId, url: pendingUrl ?? url, ...signing };
};
