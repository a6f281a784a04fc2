import type { Fragment, Sql } from '../platform/db/connect.ts';
import { unmetPrecondition } from '../webhooks/preconditions.ts';
import { sealedSecrets, type SealedSecrets } from '../webhooks/signing-secrets.ts';
import type { DueAttempt } from './attempts.ts';
import type { Read } from './outbox/read.ts';

/** What the insert of a delivery reads for its first attempt. */
export type ReadWithInsert = SealedSecrets &
  Pick<DueAttempt, 'id' | 'url' | 'generation' | 'unmet' | 'createdAt' | 'startedAt'>;

/** SQL: joins a `ReadWithInsert` to an inserted `delivery`, with its webhook and account as the statement sees them. */
export const joinFirstRead = (sql: Sql): Fragment => sql`
  left join lateral (
    select delivery.id, delivery.created_at, clock_timestamp() as started_at, w.url, w.generation, ${unmetPrecondition(sql)} as unmet,
      ${sealedSecrets(sql)}
    from webhooks w join accounts a on a.id = w.account_id where w.id = delivery.webhook_id limit 1
  ) as first_read on true`;

/** How long a first read is as good as another one, in ms from before its statement. */
const presentForMs = 100;

/** The first read of a delivery, for an attempt that begins at once. */
export type FirstRead = {
  /** Answers once: undefined when it is too old, or when the webhook may not be sent to. */
  take: () => Read | undefined;
  /** Drops the body, so that a delivery that waits holds none. */
  forget: () => void;
};

export const keepFirstRead = (read: Read): FirstRead => {
  let kept: Read | undefined = read.due?.unmet === null ? read : undefined;
  return {
    take: () => {
      const taken = kept;
      kept = undefined;
      return performance.now() - read.askedMs <= presentForMs ? taken : undefined;
    },
    forget: () => {
      kept = undefined;
    },
  };
};
