import { createHash } from 'node:crypto';
import type { Sql } from '../platform/db/connect.ts';
import type { Secrets } from '../platform/secrets/seal.ts';

/** What signs a request: the secret of now, and for a day after a rotation the one that it has replaced. */
export type SigningSecrets = { secret: string; previousSecret?: string | undefined };

/**
 * The sealed secrets of a webhook: A's own, B's account's, and the one that was replaced by whichever of them signs, while it signs, too.
 */
export type SealedSecrets = {
  ownSecret: Uint8Array | null;
  accountSecret: Uint8Array;
  previousSecret: Uint8Array | null;
};

type Place = { accountId: string; rowId: string };

/** How long a secret that was replaced signs beside its successor: receivers change over meanwhile. */
const signsOn = (sql: Sql) => sql`clock_timestamp() + interval '24 hours'`;

/** The columns of `SealedSecrets`, of webhook `w` and account `a`; whether the previous one signs still is by the database's clock. */
export const sealedSecrets = (sql: Sql) => sql`
  w.secret as own_secret, a.webhook_secret as account_secret, case
    when w.secret is null and a.previous_webhook_secret_until > clock_timestamp() then a.previous_webhook_secret
    when w.secret is not null and w.previous_secret_until > clock_timestamp() then w.previous_secret
  end as previous_secret`;

/** Until when the secret signs that is replaced now; null where there is none. */
export const previousUntil = (sql: Sql, previous: Buffer | null) => (previous ? signsOn(sql) : sql`null::timestamptz`);

/** Opens what signs for a webhook. A previous secret that does not open is left out: what counts is the one of now. */
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
  const secret = secrets.open(ownSecret ?? accountSecret, place);
  const opened = previousSecret && tryToOpen(secrets, previousSecret, place);
  return opened?.startsWith(hashOf(secret)) ? { secret, previousSecret: opened.slice(hashLength) } : { secret };
};

/** Seals the secret that `next` replaces, to sign beside it: null when it does not open, undefined when it is `next` itself. */
export const sealPrevious = (
  secrets: Secrets,
  place: Place,
  { replaced, next }: { replaced: Uint8Array; next: string },
): Buffer | null | undefined => {
  const previous = tryToOpen(secrets, replaced, place);
  if (previous === undefined) return null;
  return previous === next ? undefined : secrets.seal(hashOf(next) + previous, place);
};

/** Removes the secrets that sign no longer: one that was replaced is kept no longer than it is of use. */
export const forgetPreviousSecrets = async (sql: Sql): Promise<void> => {
  await sql`
    update webhooks set previous_secret = null, previous_secret_until = null
    where previous_secret_until <= clock_timestamp()`;
  await sql`
    update accounts set previous_webhook_secret = null, previous_webhook_secret_until = null
    where previous_webhook_secret_until <= clock_timestamp()`;
};

/** A damaged value, or one of a master key that is gone, must not keep a delivery or a rotation from being made. */
const tryToOpen = (secrets: Secrets, sealed: Uint8Array, place: Place): string | undefined => {
  try {
    return secrets.open(sealed, place);
  } catch {
    return undefined;
  }
};

const hashLength = 64;
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
