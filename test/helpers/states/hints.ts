import type { Sql } from '../../../src/shared/platform/db/connect.ts';
import { newUuid } from '../../../src/shared/ids.ts';

// States that hints are looked for in. No writer makes them, or it needs a whole service.

/** A contact of the caller's transaction, of which nobody is told. Answers its UUID. */
export const aSilentContact = async (sql: Sql, accountId: string): Promise<string> => {
  const id = newUuid();
  await sql`insert into contacts (id, account_id, first_name) values (${id}, ${accountId}, 'Ada')`;
  return id;
};

/** A webhook of a bare account. Answers its UUID. */
export const aBareWebhook = async (sql: Sql, accountId: string): Promise<string> => {
  const id = newUuid();
  await sql`
    insert into webhooks (id, account_id, variant, url, events, secret, status)
    values (${id}, ${accountId}, 'api', 'https://a.example/', '{*}', '', 'active')`;
  return id;
};

/** A delivery whose second round begins, without a replay that would carry it. */
export const beginSecondRound = async (sql: Sql, id: string): Promise<void> => {
  await sql`update deliveries set status = 'pending', round = 2, sweep_at = now(), finished_at = null where id = ${id}`;
};

/** Time passes: the deliveries of a webhook that have succeeded did so an hour earlier. */
export const ageSuccesses = async (sql: Sql, webhookId: string): Promise<void> => {
  await sql`update deliveries set succeeded_at = succeeded_at - interval '1 hour' where webhook_id = ${webhookId}`;
};

/** An account with two thousand tags, custom fields, channels, users, invitations and API keys each, twenty sessions of each user, and as many credentials as it may have. */
export const haveManySettings = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`
    with numbers as (select generate_series(1, 2000) as number),
      tags as (insert into tags (account_id, name) select ${accountId}, 'Tag ' || number from numbers),
      fields as (insert into custom_fields (account_id, key, name, type) select ${accountId}, 'key_' || number, 'Field', 'text' from numbers),
      channels as (insert into channels (account_id, type, name) select ${accountId}, 'api', 'Shop' from numbers),
      users as (insert into users (account_id, email, password_hash, role) select ${accountId}, number || '@example.com', '', 'agent' from numbers returning id),
      sessions as (insert into sessions (token_hash, user_id, expires_at) select uuid_send(uuidv7()), id, now() + interval '1 day' from users, generate_series(1, 20)),
      invitations as (insert into invitations (account_id, email, role, invited_by) select ${accountId}, number || '@example.org', 'agent', uuidv7() from numbers),
      keys as (insert into api_keys (account_id, name, prefix, key_hash) select ${accountId}, 'Shop', '', uuid_send(uuidv7()) from numbers)
    insert into credentials (account_id, name, type, hosts, secret)
    select ${accountId}, 'shop_' || number, 'bearer', '{api.example.com}', '' from numbers where number <= 200`;
};

/** Three thousand accounts with next to nothing, so that the usual one is small. */
export const manySmallAccounts = async (sql: Sql): Promise<void> => {
  await sql`
    with others as (insert into accounts (name, plan, webhook_secret) select 'Small', 'pro', '' from generate_series(1, 3000) returning id),
      contacts as (insert into contacts (account_id) select id from others),
      deliveries as (insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, body, status)
        select uuidv7(), id, uuidv7(), uuidv7(), 'new_contact', 'api', '', 'delivered' from others)
    insert into events (id, account_id, name, channel, data, occurred_at) select uuidv7(), id, 'new_contact', 'api', '{}', now() from others`;
  await sql`vacuum analyze`;
};

/** As many more inbound messages in the open conversations of an account: by the API they would take long. */
export const sayMore = async (sql: Sql, accountId: string, count: number): Promise<void> => {
  await sql`
    insert into messages (account_id, conversation_id, contact_id, channel_id, direction, text, external_id)
    select account_id, id, contact_id, channel_id, 'inbound', 'Hello', gen_random_uuid()::text
    from conversations, generate_series(1, ${count}) where account_id = ${accountId} and status = 'open'`;
};

/** Time passes: the messages of an account came so many seconds earlier. */
export const ageMessages = async (sql: Sql, accountId: string, seconds: number): Promise<void> => {
  await sql`update messages set id = uuidv7(make_interval(secs => ${-seconds})) where account_id = ${accountId}`;
};
