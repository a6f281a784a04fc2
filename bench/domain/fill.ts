import {
  connectDatabase,
  type Database,
  type DatabaseTarget,
  type Fragment,
} from '../../src/shared/platform/db/connect.ts';
import { readId } from '../../src/shared/ids.ts';

/** How much an account has. */
export type Size = { contacts: number; messages: number };

/** Every fifth contact has had two conversations. */
const conversationsOf = ({ contacts }: Size): number => Math.floor((contacts * 6) / 5);

export type Filling = Size & {
  database: DatabaseTarget;
  /** The account's UUID, and the TypeID of its channel. */
  accountId: string;
  channelId: string;
};

const weeks = 12;

/** Rows of one statement. */
const atOnce = 200_000;

/**
 * Writes an account's contacts, conversations, messages, orders, tags and events directly into the database, spread evenly over past weeks.
 * PostgreSQL makes the rows, so that none travels. Foreign keys are not checked: the rows are numbered, and their ids follow from their numbers.
 */
export const fillDomain = async ({ database, ...filling }: Filling): Promise<void> => {
  const settings = { statement_timeout: 0, synchronous_commit: 'off', session_replication_role: 'replica' };
  const sql = connectDatabase(database, { max: 1, settings });
  try {
    await sql`select log_partitions(now() - make_interval(weeks => ${weeks + 1}), now())`;
    await makeIds(sql, filling);
    await addDefinitions(sql, filling.accountId);
    for (const { count, insert } of kindsOfRows(sql, filling)) {
      for (let from = 1; from <= count; from += atOnce) {
        await insert(sql`generate_series(${from}::bigint, ${Math.min(count, from + atOnce - 1)}::bigint)`);
      }
    }
    await sql`select setval('messages_seq', greatest(nextval('messages_seq'), (select max(seq) from messages)))`;
    // Otherwise autovacuum would do this some minutes later, during the measurement.
    await sql`vacuum analyze`;
    await sql`checkpoint`;
  } finally {
    await sql.end();
  }
};

/**
 * Functions of this connection: the time at a share of the weeks, the ids of numbered rows, which sort by time as all UUIDv7 do, and six words of
 * fifty thousand, of which `word1` is in every third message, `word1000` in one of two thousand.
 */
const makeIds = async (sql: Database, size: Size): Promise<void> => {
  const { contacts, messages } = size;
  const conversations = conversationsOf(size);
  await sql.unsafe(`
    create function pg_temp.at(place bigint, of bigint) returns timestamptz language sql immutable
      return '${new Date().toISOString()}'::timestamptz + (place - of) * interval '${weeks} weeks' / of;
    create function pg_temp.id(at timestamptz, kind integer, place bigint) returns uuid language sql immutable
      return (left(uuid_from_time(at)::text, 13) || '-7' || lpad(to_hex(kind), 3, '0') || '-8000-' || lpad(to_hex(place), 12, '0'))::uuid;
    create function pg_temp.contact(i bigint) returns uuid language sql immutable return pg_temp.id(pg_temp.at(i, ${contacts}), 1, i);
    create function pg_temp.conversation(j bigint) returns uuid language sql immutable
      return pg_temp.id(pg_temp.at(j, ${conversations}), 2, j);
    create function pg_temp.message(m bigint) returns uuid language sql immutable return pg_temp.id(pg_temp.at(m, ${messages}), 3, m);
    create function pg_temp.words(m bigint) returns text language sql immutable return
      (select string_agg(' word' || floor(power(50000, abs(hashint8extended(m, place)::float8 / 9223372036854775808)))::bigint, '')
        from generate_series(1, 6) as place);
    create function pg_temp.contact_of(j bigint) returns bigint language sql immutable return (j - 1) * 5 / 6 + 1;
    create function pg_temp.conversation_of(m bigint) returns bigint language sql immutable
      return case when m % 100 = 0 then 2 else greatest(1, m * ${conversations} / ${messages} - m * 7919 % 2000) end`);
};

const addDefinitions = async (sql: Database, accountId: string): Promise<void> => {
  await sql`
    insert into custom_fields (account_id, key, name, type)
    select ${accountId}::uuid, key, key, type from (values ('city', 'text'), ('age', 'number'), ('vip', 'boolean')) as field (key, type)`;
  await sql`
    insert into tags (account_id, name) select ${accountId}::uuid, name from unnest('{customer,newsletter,vip,beta}'::text[]) as name`;
};

type Rows = { count: number; insert: (numbers: Fragment) => PromiseLike<unknown> };

const kindsOfRows = (sql: Database, { accountId, channelId, ...size }: Omit<Filling, 'database'>): Rows[] => {
  const account = sql`${accountId}::uuid`;
  const channel = sql`${readId('channel', channelId)}::uuid`;
  const { contacts, messages } = size;
  const conversations = conversationsOf(size);
  const orders = Math.floor(contacts / 3);
  return [
    {
      count: contacts,
      insert: (numbers) => sql`
        insert into contacts (id, account_id, first_name, last_name, email, phone, language, external_id, custom_fields, last_channel,
          last_channel_id, created_at, updated_at)
        select pg_temp.contact(i), ${account}, (array['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gia', 'Hugo', 'Iris', 'Jon'])[1 + i % 10],
          initcap(translate(left(md5((i % 50000)::text), 8), '0123456789', 'ghijklmnop')), 'contact' || i || '@example.com',
          '+49151' || lpad(i::text, 8, '0'), 'de', 'customer-' || i,
          jsonb_build_object('city', 'City ' || i % 1000, 'age', 18 + i % 60, 'vip', i % 100 = 0),
          'api', ${channel}, pg_temp.at(i, ${contacts}), pg_temp.at(i, ${contacts})
        from ${numbers} as i`,
    },
    {
      count: contacts,
      insert: (numbers) => sql`
        insert into contact_identities (channel_id, external_id, contact_id)
        select ${channel}, 'contact-' || i, pg_temp.contact(i) from ${numbers} as i`,
    },
    {
      count: contacts,
      insert: (numbers) => sql`
        insert into contact_tags (contact_id, tag_id, applied_at)
        select pg_temp.contact(i), t.id, pg_temp.at(i, ${contacts})
        from (values ('customer', 2), ('newsletter', 10), ('vip', 100), ('beta', 20000)) as tagged (name, every)
        join tags t on t.account_id = ${account} and t.name = tagged.name cross join ${numbers} as i
        where i % every = 0`,
    },
    {
      count: conversations,
      insert: (numbers) => sql`
        with added as (
          insert into conversations (id, account_id, contact_id, channel_id, status, assigned_to, waiting_since, snoozed_until, created_at,
            closed_at, revision)
          select pg_temp.conversation(j), ${account}, pg_temp.contact(pg_temp.contact_of(j)), ${channel}, status,
            case when j % 10 = 0 then (select id from users where account_id = ${account} limit 1) end,
            case when status = 'open' and j % 500 = 3 then at + interval '1 minute' end,
            case when status = 'open' and j % 500 = 4 then now() + interval '1 year' end,
            at, case status when 'closed' then at + interval '1 hour' end, ${messages}
          from ${numbers} as j, pg_temp.at(j, ${conversations}) as at,
            lateral (select case when j % 6 = 1 or pg_temp.contact_of(j) % 4 = 0 then 'closed' else 'open' end as status) as now
          returning conversations)
        insert into inbox_deltas (account_id, stage, channel_id, assigned_to, delta)
        select ${account}, inbox_stage(conversations), (conversations).channel_id, (conversations).assigned_to, count(*)
        from added group by 2, 3, 4`,
    },
    {
      count: messages,
      insert: (numbers) => sql`
        with said as (
          insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, external_id, event_id, seq, sent_at, revision)
          select pg_temp.message(m), ${account}, pg_temp.conversation(j), pg_temp.contact(pg_temp.contact_of(j)), ${channel}, direction,
            'Message ' || m || ' of a contact who asks when the parcel comes' || pg_temp.words(m), case direction when 'inbound' then 'message-' || m end,
            case direction when 'inbound' then pg_temp.id(pg_temp.at(m, ${messages}), 5, m) end, m, pg_temp.at(m, ${messages}), m
          from ${numbers} as m, pg_temp.conversation_of(m) as j,
            lateral (select case when m % 5 < 3 then 'inbound' else 'outbound' end as direction) as sent
          returning *
        ), sent as (
          insert into outbound_messages (message_id, account_id, conversation_id, seq, status, attempts_made, queued_at, sent_at)
          select id, account_id, conversation_id, seq, 'sent', 1, sent_at, sent_at from said where direction = 'outbound'
        )
        insert into events (id, account_id, name, contact_id, channel, data, occurred_at)
        select event_id, account_id, 'new_message', contact_id, 'api', jsonb_build_object('message', jsonb_build_object('id', id, 'text', text,
          'direction', direction, 'sent_at', sent_at)), sent_at
        from said where direction = 'inbound'`,
    },
    {
      count: orders,
      insert: (numbers) => sql`
        with placed as (
          insert into orders (id, account_id, contact_id, external_id, number, status, currency, total, items, status_history, placed_at,
            created_at, updated_at)
          select pg_temp.id(at, 6, o), ${account}, pg_temp.contact(o * 3), 'order-' || o, o::text, status, 'EUR', o % 20000,
            '[{"name": "Tea", "quantity": 2, "unit_price": 450}]', jsonb_build_array(jsonb_build_object('status', status, 'changed_at', at)), at, at, at
          from ${numbers} as o, pg_temp.at(o, ${orders}) as at,
            lateral (select case when o % 2000 = 0 then 'returned' when o % 20 = 0 then 'placed' else 'shipped' end as status) as now
          returning *)
        insert into events (id, account_id, name, contact_id, channel, data, occurred_at)
        select pg_temp.id(created_at, 7, number::bigint + (name = 'order_placed')::int * ${orders}::bigint), account_id, name, contact_id, 'api',
          jsonb_build_object('order', jsonb_build_object('id', id, 'external_id', external_id, 'status', status)), created_at
        from placed, unnest('{order_placed,order_status_changed}'::text[]) as name where name = 'order_placed' or status <> 'placed'`,
    },
    {
      count: contacts,
      insert: (numbers) => sql`
        insert into events (id, account_id, name, contact_id, channel, data, occurred_at)
        select pg_temp.id(pg_temp.at(i, ${contacts}), 8 + kind, i), ${account}, name, pg_temp.contact(i), 'api', '{}', pg_temp.at(i, ${contacts})
        from ${numbers} as i, (values (0, 'new_contact', 1), (1, 'tag_applied', 10), (2, 'conversation_closed', 3),
          (3, 'handover_requested', 1)) as told (kind, name, every)
        where i % every = 0 and (name <> 'handover_requested' or i <= 20)`,
    },
  ];
};
