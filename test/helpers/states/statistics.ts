import type { AttemptKind, DeliveryStatus } from '../../../src/shared/deliveries/types.ts';
import type { EventName } from '../../../src/shared/facts/names.ts';
import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// The log as it is hours later: every writer takes the time of the moment.

/** An event of that time. */
export const aPastEvent = async (
  sql: Sql,
  { accountId, at, name = 'new_message' }: { accountId: string; at: Date; name?: EventName },
): Promise<void> => {
  await sql`
    insert into events (id, account_id, name, channel, data, occurred_at)
    values (uuidv7(${at}::timestamptz - clock_timestamp()), ${accountId}, ${name}, 'api', '{}', ${at})`;
};

type PastAttempt = { at?: Date; outcome?: 'succeeded' | 'failed'; durationMs?: number; kind?: AttemptKind };

/** A delivery that was made then, with these attempts in their order, and ended at `endedAt`; answers its UUID. */
export const aPastDelivery = async (
  sql: Sql,
  {
    accountId,
    webhookId,
    at,
    endedAt = at,
    status = 'delivered',
    eventName = 'new_message',
    isTest = false,
    attempts = [],
  }: {
    accountId: string;
    webhookId: string;
    at: Date;
    endedAt?: Date;
    status?: DeliveryStatus;
    eventName?: EventName;
    isTest?: boolean;
    attempts?: readonly PastAttempt[];
  },
): Promise<string> => {
  const isFinished = !['pending', 'retrying', 'parked'].includes(status);
  const [row] = await sql<[{ id: string }]>`
    insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, body, status, is_test, succeeded_at, finished_at)
    values (uuidv7(${at}::timestamptz - clock_timestamp()), ${accountId}, ${webhookId}, uuidv7(), ${eventName}, 'api', '{}', ${status}, ${isTest},
      ${status === 'delivered' ? endedAt : null}, ${isFinished ? endedAt : null})
    returning id`;
  for (const [place, attempt] of attempts.entries())
    await aPastAttempt(sql, row.id, { number: place + 1, at, ...attempt });
  return row.id;
};

/** A further attempt of a delivery. */
export const aPastAttempt = async (
  sql: Sql,
  deliveryId: string,
  {
    at,
    number,
    outcome = 'succeeded',
    durationMs = 12,
    kind = 'scheduled',
  }: PastAttempt & { at: Date; number: number },
): Promise<void> => {
  await sql`
    insert into attempts (delivery_id, round, kind, number, account_id, webhook_id, outcome, started_at, duration_ms)
    select id, 1, ${kind}, ${number}, account_id, webhook_id, ${outcome}, ${at}, ${durationMs} from deliveries where id = ${deliveryId}`;
};

/** Hours before this one are rolled up, with whatever was made of them. */
export const setRolledUpUntil = async (sql: Sql, hour: Date): Promise<void> => {
  await sql`update statistics_progress set rolled_up_until = ${hour}`;
};

/** Hours of an account that were rolled up so many days ago. */
export const anOldHour = async (sql: Sql, accountId: string, daysAgo: number): Promise<void> => {
  await sql`
    insert into statistics_hours (account_id, hour, events, failed, dropped, cancelled, attempts, attempts_failed)
    values (${accountId}, date_trunc('hour', now() - make_interval(days => ${daysAgo})), 1, 0, 0, 0, 0, 0)`;
};

/** An active webhook that was there before everything that a test makes in the past; or one that was deleted then. Answers its UUID. */
export const aPastWebhook = async (
  sql: Sql,
  accountId: string,
  { deletedAt = null, generation = 1 }: { deletedAt?: Date | null; generation?: number } = {},
): Promise<string> => {
  const [row] = await sql<[{ id: string }]>`
    insert into webhooks (account_id, variant, url, events, secret, status, deleted_at, generation, created_at)
    values (${accountId}, 'api', 'https://a.example/', '{*}', '', 'active', ${deletedAt}, ${generation}, now() - interval '1 year') returning id`;
  return row.id;
};

/** An upgrade has not built this index yet, or has. */
export const setBuilt = async (sql: Sql, index: string, isBuilt: boolean): Promise<void> => {
  await sql`update pg_index set indisvalid = ${isBuilt} where indexrelid = ${index}::regclass`;
};
