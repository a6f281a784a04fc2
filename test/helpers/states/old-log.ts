import type { DeliveryStatus } from '../../../src/shared/deliveries/types.ts';
import type { Sql } from '../../../src/shared/platform/db/connect.ts';
import { farFromMidnight } from '../midnight.ts';

// The log and what stands beside it as they are after months: ids tell the time, and every writer takes that of the moment.

/** The partitions of the week that holds the day so many days ago. */
export const anOldWeek = async (sql: Sql, daysAgo: number): Promise<void> => {
  // What is written then, is so many days old as well.
  await farFromMidnight();
  await sql`select log_partitions(day, day) from (select now() - make_interval(days => ${daysAgo}) as day) as days`;
};

type Old = { accountId: string; daysAgo: number; status?: DeliveryStatus; inProgress?: boolean };

/** A delivery with its event and an attempt, as they would be so many days later; answers its UUID, which its event has as well. */
export const anOldDelivery = async (
  sql: Sql,
  { accountId, daysAgo, status = 'delivered', inProgress = false }: Old,
): Promise<string> => {
  const [row] = await sql<[{ id: string }]>`
    with made as materialized (
      select uuidv7(make_interval(days => ${-daysAgo})) as id
    ), event as (
      insert into events (id, account_id, name, channel, data, occurred_at)
      select id, ${accountId}, 'new_message', 'api', '{"text":"hello"}', now() from made
    ), attempt as (
      insert into attempts (delivery_id, round, kind, number, account_id, webhook_id, outcome, started_at, duration_ms)
      select id, 1, 'scheduled', 1, ${accountId}, ${accountId}, 'succeeded', now(), 5 from made
    )
    insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, body, status, sweep_at)
    select id, ${accountId}, ${accountId}, id, 'new_message', 'api', '{"event":"new_message"}', ${status},
      ${inProgress ? sql`now()` : null} from made
    returning id`;
  return row.id;
};

/** An event of that time, alone. */
export const anEventAt = async (sql: Sql, accountId: string, at: Date): Promise<void> => {
  await sql`
    insert into events (id, account_id, name, channel, data, occurred_at)
    values (uuid_from_time(${at}), ${accountId}, 'new_contact', 'api', '{}', now())`;
};

/** A week of 200,000 deliveries, of which none can be deleted alone; its indexes come after the rows, which is faster. */
export const aLargeOldWeek = async (
  sql: Sql,
  { accountId, daysAgo }: { accountId: string; daysAgo: number },
): Promise<void> => {
  const [{ week, nextWeek }] = await sql<[{ week: string; nextWeek: string }]>`
    select to_char(monday, 'YYYYMMDD') as week, to_char(monday + interval '7 days', 'YYYYMMDD') as next_week
    from (select date_trunc('week', now() - make_interval(days => ${daysAgo})) as monday) as weeks`;
  await sql.unsafe(`
    create table deliveries_${week} (like deliveries including defaults including constraints including generated);
    insert into deliveries_${week} (id, account_id, webhook_id, event_id, event_name, variant, body, status)
      select uuidv7('${week}'::timestamptz - now() + i * interval '3 s'), '${accountId}', '${accountId}', '${accountId}',
        'new_message', 'api', '{"event":"new_message"}', 'delivered'
      from generate_series(1, 200000) i;
    alter table deliveries attach partition deliveries_${week}
      for values from (uuid_from_time('${week}')) to (uuid_from_time('${nextWeek}'));
    create function refuse_to_delete() returns trigger language plpgsql as $$
      begin raise exception 'a row of a large week was deleted'; end $$;
    create trigger refuse_to_delete before delete on deliveries_${week} for each row execute function refuse_to_delete();
    analyze deliveries_${week}`);
  await anOldWeek(sql, daysAgo);
};

/** A mail of so many days ago; answers its UUID. */
export const anOldMail = async (
  sql: Sql,
  { accountId, daysAgo, status }: { accountId: string; daysAgo: number; status: 'pending' | 'sent' | 'refused' },
): Promise<string> => {
  const [mail] = await sql<[{ id: string }]>`
    insert into mails (id, account_id, kind, dedup_key, recipient, subject, body, status, created_at, sweep_at)
    select id, ${accountId}, 'webhook_disabled', id::text, 'a@example.com', '', '', ${status}, uuid_extract_timestamp(id),
      case when ${status} = 'pending' then now() end
    from (select uuidv7(make_interval(days => ${-daysAgo})) as id) as made
    returning id`;
  return mail.id;
};

/** A bulk replay of so many days ago. */
export const anOldReplay = async (
  sql: Sql,
  {
    accountId,
    webhookId = null,
    daysAgo,
    status,
  }: { accountId: string; webhookId?: string | null; daysAgo: number; status: 'running' | 'finished' | 'cancelled' },
): Promise<void> => {
  await sql`
    insert into replays (id, account_id, webhook_id, variants, statuses, pace, status, total, sweep_at)
    values (uuidv7(make_interval(days => ${-daysAgo})), ${accountId}, ${webhookId}, '{api}', '{failed}', 1, ${status}, 0,
      case when ${status} = 'running' then now() end)`;
};

/** A run that began so many days ago, with a step, and ended then unless it is open; answers its UUID. */
export const anOldRun = async (
  sql: Sql,
  {
    contactId,
    flowId,
    daysAgo,
    isOpen = false,
  }: { contactId: string; flowId: string; daysAgo: number; isOpen?: boolean },
): Promise<string> => {
  const ended = isOpen
    ? sql`'waiting', 'reply', null, 'infinity'`
    : sql`'completed', null, now() - make_interval(days => ${daysAgo}), null`;
  const [row] = await sql<[{ id: string }]>`
    with made as materialized (select uuidv7(make_interval(days => ${-daysAgo})) as id),
    run as (
      insert into runs (id, account_id, contact_id, flow_id, version, root_run_id, one_active, status, waiting, ended_at, sweep_at)
      select made.id, f.account_id, ${contactId}, f.id, f.version, made.id, false, ${ended} from made, flows f where f.id = ${flowId}
      returning id
    )
    insert into run_steps (run_id, number, block_id, visit, status) select id, 1, 'hello', 1, 'open' from run returning run_id as id`;
  return row.id;
};
