import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { insertDeliveries } from '../../src/shared/deliveries/insert.ts';
import { endRound } from '../../src/shared/deliveries/rounds.ts';
import type { DeliveryWorkRow } from '../../src/shared/deliveries/work.ts';
import type { DeliveryStatus } from '../../src/shared/deliveries/types.ts';
import type { EventName, Variant } from '../../src/shared/facts/names.ts';
import { newUuid } from '../../src/shared/ids.ts';
import type { Sql } from '../../src/shared/platform/db/connect.ts';

type Fields = {
  accountId: string;
  webhookId: string;
  status: DeliveryStatus;
  variant?: Variant;
  contactId?: string;
  isTest?: boolean;
  body?: string;
};

/**
 * A delivery in this status, made by the product's writers; answers its UUID. It has the one attempt that makes it `delivered` or
 * `retrying`, and otherwise none. Nobody is asked to carry it, and the sweep's look at it is not due yet.
 */
export const aDelivery = async (
  sql: Sql,
  {
    accountId,
    webhookId,
    status,
    variant = 'api',
    contactId = newUuid(),
    isTest = false,
    body = '{"event":"new_message"}',
  }: Fields,
): Promise<string> => {
  const id = newUuid();
  const told = { accountId, eventId: newUuid(), eventName: 'new_message', contactId, isTest } as const;
  const born = status === 'parked' ? 'parked' : 'pending';
  const delivery = { id, webhookId, variant, status: born, body: Buffer.from(body) } as const;
  await insertDeliveries({ sql, start: () => {} }, [{ told, deliveries: [delivery], traceparent: undefined }]);
  if (status === 'delivered') await recordFirst(sql, id, { outcome: 'succeeded', statusCode: 200 });
  else if (status === 'retrying') await recordFirst(sql, id, { outcome: 'failed', reason: 'status', statusCode: 500 });
  else if (status !== born) await endRound(sql, { deliveryId: id, round: 1 }, status);
  return id;
};

/** A pending delivery of variant A of which nobody has heard yet, as the dispatcher is handed it. */
export const aPendingRow = async (sql: Sql, of: Pick<Fields, 'accountId' | 'webhookId'>): Promise<DeliveryWorkRow> => {
  const id = await aDelivery(sql, { ...of, status: 'pending' });
  const first = { round: 1, resumes: 0, attemptsMade: 0, isTest: false, ofOutbox: true } as const;
  return { id, ...of, contactId: null, eventName: 'new_message', variant: 'api', ...first };
};

type Outcome = { outcome: 'succeeded'; statusCode: 200 } | { outcome: 'failed'; reason: 'status'; statusCode: 500 };

const recordFirst = async (sql: Sql, deliveryId: string, outcome: Outcome): Promise<void> => {
  const key = { deliveryId, round: 1, kind: 'scheduled', number: 1 } as const;
  const attempt = { ...outcome, durationMs: 1, startedAt: new Date(), generation: 1, evidence: noEvidence };
  await recordAttempt(sql, key, attempt);
};

/** The first attempts of a pending delivery fail, from this number on. */
export const failAttempts = async (
  sql: Sql,
  deliveryId: string,
  { times, from = 1 }: { times: number; from?: number },
): Promise<void> => {
  const failed = {
    outcome: 'failed',
    reason: 'status',
    statusCode: 500,
    durationMs: 1,
    generation: 1,
    evidence: noEvidence,
  } as const;
  for (let number = from; number < from + times; number += 1)
    await recordAttempt(sql, { deliveryId, round: 1, kind: 'scheduled', number }, { ...failed, startedAt: new Date() });
};

type Many = Pick<Fields, 'accountId' | 'webhookId' | 'status' | 'variant'> & {
  count: number;
  round?: number;
  eventName?: EventName;
  bodyBytes?: number;
};

/**
 * So many of them in one statement, which no writer makes: writers would take minutes. Those that are pending are overdue, the first the
 * longest; those that are retrying are due in an hour.
 */
export const manyDeliveries = async (
  sql: Sql,
  { accountId, webhookId, status, variant = 'api', count, round = 1, eventName = 'new_message', bodyBytes = 300 }: Many,
): Promise<void> => {
  await sql`
    insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, status, round, sweep_at,
      next_attempt_at, succeeded_at, finished_at)
    select uuidv7(), ${accountId}, ${webhookId}, uuidv7(), ${eventName}, ${variant}, uuidv7(),
      convert_to(repeat('x', ${bodyBytes}::int), 'UTF8'), ${status}, ${round},
      case ${status} when 'pending' then now() - interval '1 hour' + i * interval '1 ms'
        when 'retrying' then now() + interval '1 hour' end,
      case when ${status} = 'retrying' then now() + interval '1 hour' end,
      case when ${status} = 'delivered' then now() end,
      case when ${status} not in ('pending', 'retrying', 'parked') then now() end
    from generate_series(1, ${count}::int) i`;
};

/** Rounds of six failed attempts each, with answers of 16 KiB, in one statement: writers would take a minute for hundreds of rounds. */
export const manyAttempts = async (
  sql: Sql,
  { accountId, deliveryId, rounds }: { accountId: string; deliveryId: string; rounds: number },
): Promise<void> => {
  await sql`
    insert into attempts (delivery_id, round, kind, number, account_id, webhook_id, outcome, started_at, duration_ms, response_body)
    select ${deliveryId}, round, 'scheduled', number, ${accountId}, ${newUuid()}, 'failed',
      now() + round * interval '1 hour' + number * interval '1 second', 1, convert_to(repeat('x', 16384), 'UTF8')
    from generate_series(1, ${rounds}::int) round, generate_series(1, 6) number`;
};
