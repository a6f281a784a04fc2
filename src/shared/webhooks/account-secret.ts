import { createSigningSecret } from '../signing/create-secret.ts';
import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { found } from '../errors.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { previousUntil, sealPrevious } from '../signing/secrets.ts';

/** The secret of the account's dashboard webhooks (specification 5.5). */
export const getWebhookSecret = async (
  { sql, secrets }: { sql: Sql; secrets: Secrets },
  accountId: string,
): Promise<string> => {
  const [account] = await sql<{ webhookSecret: Buffer }[]>`select webhook_secret from accounts where id = ${accountId}`;
  return secrets.open(found('account', account).webhookSecret, { accountId, rowId: accountId });
};

/**
 * Replaces the secret of the account's dashboard webhooks and answers the new one. It is in force with the commit, also for retries that are
 * scheduled already (specification 5.5). The replaced secret signs beside it for a day, only in `webhook-signature`. The generation of each
 * webhook goes up, because failures under the old secret say nothing about the new one. Webhooks are locked in the order of their ids, as
 * everywhere.
 */
export const rotateWebhookSecret = async (
  tx: EventTransaction,
  { secrets, accountId }: { secrets: Secrets; accountId: string },
): Promise<string> => {
  const secret = createSigningSecret();
  await tx.sql`
    with signed as (
      select id from webhooks where account_id = ${accountId} and variant = 'dashboard' and deleted_at is null
      order by id for update)
    update webhooks set generation = generation + 1, updated_at = now() from signed where webhooks.id = signed.id`;
  const place = { accountId, rowId: accountId };
  const [account] = await tx.sql<{ replaced: Buffer }[]>`
    select webhook_secret as replaced from accounts where id = ${accountId} for no key update`;
  const previous = sealPrevious(secrets, place, { ...found('account', account), next: secret }) ?? null;
  await tx.sql`
    update accounts set webhook_secret = ${secrets.seal(secret, place)}, previous_webhook_secret = ${previous},
      previous_webhook_secret_until = ${previousUntil(tx.sql, previous)}
    where id = ${accountId}`;
  await tx.tell(changed(accountId, 'account', 'webhooks'));
  return secret;
};
