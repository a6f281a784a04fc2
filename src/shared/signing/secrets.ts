import { createHash } from 'node:crypto';
import type { Sql } from '../platform/db/connect.ts';
import type { Secrets } from '../platform/secrets/seal.ts';

/** The secrets that sign a request: the present one, and for a day after a rotation the replaced one. */
export type SigningSecrets = { secret: string; previousSecret?: string | undefined };

type Place = { accountId: string; rowId: string };

/** SQL: until when a replaced secret signs beside its successor, while receivers change over. */
const signsOn = (sql: Sql) => sql`clock_timestamp() + interval '24 hours'`;

/** SQL: until when the secret signs that is replaced now; null without one. */
export const previousUntil = (sql: Sql, previous: Buffer | null) => (previous ? signsOn(sql) : sql`null::timestamptz`);

/** Opens the secret of a place, and the one before it. A previous secret that does not open is left out, because only the present one is required. */
export const openWithPrevious = (
  secrets: Secrets,
  place: Place,
  { sealed, previous }: { sealed: Uint8Array; previous: Uint8Array | null },
): SigningSecrets => {
  const secret = secrets.open(sealed, place);
  const opened = previous && tryToOpen(secrets, previous, place);
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

/** Removes the replaced secrets that no longer sign. */
export const forgetPreviousSecrets = async (sql: Sql): Promise<void> => {
  await sql`
    update webhooks set previous_secret = null, previous_secret_until = null
    where previous_secret_until <= clock_timestamp()`;
  await sql`
    update accounts set previous_webhook_secret = null, previous_webhook_secret_until = null
    where previous_webhook_secret_until <= clock_timestamp()`;
  await sql`
    update channels set previous_secret = null, previous_secret_until = null
    where previous_secret_until <= clock_timestamp()`;
};

/** Opens a secret, or answers undefined. A damaged value, or one of a lost master key, must not prevent a delivery or a rotation. */
const tryToOpen = (secrets: Secrets, sealed: Uint8Array, place: Place): string | undefined => {
  try {
    return secrets.open(sealed, place);
  } catch {
    return undefined;
  }
};

const hashLength = 64;
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
