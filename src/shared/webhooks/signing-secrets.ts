import type { Sql } from '../platform/db/connect.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { openWithPrevious, type SigningSecrets } from '../signing/secrets.ts';

/**
 * The sealed secrets of a webhook: its own for variant A, its account's for variant B, and the replaced one as long as it also signs.
 */
export type SealedSecrets = {
  ownSecret: Uint8Array | null;
  accountSecret: Uint8Array;
  previousSecret: Uint8Array | null;
};

/** SQL: the columns of `SealedSecrets`, of webhook `w` and account `a`. The database's clock decides whether the previous secret still signs. */
export const sealedSecrets = (sql: Sql) => sql`
  w.secret as own_secret, a.webhook_secret as account_secret, case
    when w.secret is null and a.previous_webhook_secret_until > clock_timestamp() then a.previous_webhook_secret
    when w.secret is not null and w.previous_secret_until > clock_timestamp() then w.previous_secret
  end as previous_secret`;

/** Opens the secrets that sign for a webhook. */
export const openSigningSecrets = (
  secrets: Secrets,
  {
    accountId,
    webhookId,
    ownSecret,
    accountSecret,
    previousSecret,
  }: SealedSecrets & {
    accountId: string;
    webhookId: string;
  },
): SigningSecrets => {
  const place = { accountId, rowId: ownSecret ? webhookId : accountId };
  return openWithPrevious(secrets, place, { sealed: ownSecret ?? accountSecret, previous: previousSecret });
};
