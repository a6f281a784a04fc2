import type { Sql } from '../db/connect.ts';
import type { Secrets } from '../secrets/seal.ts';

/** A request that its sender may repeat: the key that it chose, and a hash of the request. */
export type KeyedRequest = { accountId: string; key: string; requestHash: Buffer };

/** A kept answer; `body` is JSON. */
export type KeptAnswer = { status: number; body: string };

type Deps = { sql: Sql; secrets: Secrets };

/** How long a key is kept. */
const lifetime = '24 hours';

/**
 * Takes the key for the present transaction, and waits for another transaction that is using it. Undefined means that the request is
 * new. Otherwise the key was used in the last 24 hours, by this or by another request.
 */
export const claimKey = async (
  { sql, secrets }: Deps,
  { accountId, key, requestHash }: KeyedRequest,
): Promise<{ sameRequest: boolean; answer: KeptAnswer } | undefined> => {
  const claimed = await sql`
    insert into idempotency_keys as known (account_id, key, request_hash) values (${accountId}, ${key}, ${requestHash})
    on conflict (account_id, key) do update
      set request_hash = excluded.request_hash, status = null, answer = null, created_at = now()
      where known.created_at <= now() - ${lifetime}::interval
    returning 1`;
  if (claimed.length > 0) return undefined;
  const known = await findKnown({ sql, secrets }, { accountId, key, requestHash });
  return known ?? claimKey({ sql, secrets }, { accountId, key, requestHash });
};

/** What a key was used for in the last 24 hours, as far as it is committed. A key and its answer are committed together. */
export const findKnown = async (
  { sql, secrets }: Deps,
  { accountId, key, requestHash }: KeyedRequest,
): Promise<{ sameRequest: boolean; answer: KeptAnswer } | undefined> => {
  const [known] = await sql<{ requestHash: Buffer; status: number; answer: Buffer }[]>`
    select request_hash, status, answer from idempotency_keys
    where account_id = ${accountId} and key = ${key} and created_at > now() - ${lifetime}::interval`;
  if (!known) return undefined;
  const body = secrets.open(known.answer, { accountId, rowId: key });
  return { sameRequest: requestHash.equals(known.requestHash), answer: { status: known.status, body } };
};

/** Keeps the answer for repeated requests. It may hold what is shown only once (an API key), so it is sealed. */
export const keepAnswer = async (
  { sql, secrets }: Deps,
  { accountId, key }: Pick<KeyedRequest, 'accountId' | 'key'>,
  { status, body }: KeptAnswer,
): Promise<void> => {
  const answer = secrets.seal(body, { accountId, rowId: key });
  await sql`
    update idempotency_keys set status = ${status}, answer = ${answer} where account_id = ${accountId} and key = ${key}`;
};

/** Removes the expired keys and returns how many. */
export const deleteOldIdempotencyKeys = async (sql: Sql): Promise<number> => {
  const { count } = await sql`delete from idempotency_keys where created_at <= now() - ${lifetime}::interval`;
  return count;
};
