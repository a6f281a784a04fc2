import { connectDatabase } from '../../src/shared/platform/db/connect.ts';
import { readId } from '../../src/shared/ids.ts';
import type { Target } from '../target.ts';

export type Filling = {
  database: string;
  target: Pick<Target, 'accountId' | 'webhookIds'>;
  count: number;
  weeks: number;
};

/** Rows of one statement. */
const atOnce = 100_000;

/**
 * Writes finished deliveries of a target's first webhook directly into the database, each with an attempt, spread evenly over past weeks and
 * their partitions. One in a hundred has failed, and one in ten tells of an order.
 */
export const fillDeliveries = async ({ database, target, count, weeks }: Filling): Promise<void> => {
  const webhookId = readId('webhook', target.webhookIds[0] ?? '');
  // Ten million rows are looked through for minutes.
  const sql = connectDatabase(database, { max: 1, settings: { statement_timeout: 0 } });
  try {
    await sql`select log_partitions(now() - make_interval(weeks => ${weeks + 1}), now())`;
    for (let from = 1; from <= count; from += atOnce) {
      const to = Math.min(count, from + atOnce - 1);
      await sql`
        with made as (
          select uuidv7((i - ${count}::bigint) * make_interval(weeks => ${weeks}) / ${count}::bigint) as id, i
          from generate_series(${from}::bigint, ${to}::bigint) i),
        stored as (
          insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, status,
            attempts_made, first_attempt_at, succeeded_at, finished_at, created_at)
          select id, ${target.accountId}, ${webhookId}, uuidv7(), case when i % 10 = 3 then 'order_placed' else 'new_message' end, 'api', uuidv7(),
            convert_to(jsonb_build_object('id', id, 'event', 'new_message', 'data', jsonb_build_object('message',
              jsonb_build_object('text', 'stored ' || i, 'more', repeat('x', 300))))::text, 'UTF8'),
            case when i % 100 = 0 then 'failed' else 'delivered' end, 1, at, case when i % 100 = 0 then null else at end, at, at
          from made, lateral (select uuid_extract_timestamp(id) as at) times)
        insert into attempts (delivery_id, account_id, webhook_id, round, kind, number, started_at, duration_ms, outcome,
          reason, status_code)
        select id, ${target.accountId}, ${webhookId}, 1, 'scheduled', 1, uuid_extract_timestamp(id), 12,
          case when i % 100 = 0 then 'failed' else 'succeeded' end, case when i % 100 = 0 then 'status' end,
          case when i % 100 = 0 then 500 else 200 end
        from made`;
    }
    // Otherwise autovacuum would do this some minutes later, during the measurement.
    await sql`vacuum analyze deliveries, attempts`;
    await sql`checkpoint`;
  } finally {
    await sql.end();
  }
};
