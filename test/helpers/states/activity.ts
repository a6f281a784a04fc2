import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// What contacts, agents and flows did hours ago: every writer takes the time of the moment.

/** A conversation of a contact who came at a time, on a channel of its own. Ids are UUIDs. */
export type PastConversation = { accountId: string; contactId: string; channelId: string; conversationId: string };

export const aPastConversation = async (
  sql: Sql,
  { accountId, at }: { accountId: string; at: Date },
): Promise<PastConversation> => {
  const [row] = await sql<[Omit<PastConversation, 'accountId'>]>`
    with contact as (
      insert into contacts (id, account_id) values (uuidv7(${at}::timestamptz - clock_timestamp()), ${accountId}) returning id
    ), channel as (
      insert into channels (account_id, type, name) values (${accountId}, 'api', 'Shop') returning id
    ), conversation as (
      insert into conversations (account_id, contact_id, channel_id, created_at)
      select ${accountId}, contact.id, channel.id, ${at} from contact, channel returning id
    )
    select contact.id as contact_id, channel.id as channel_id, conversation.id as conversation_id from contact, channel, conversation`;
  return { accountId, ...row };
};

/** A message that was written then. */
export const aPastMessage = async (
  sql: Sql,
  { accountId, contactId, channelId, conversationId }: PastConversation,
  { at, direction }: { at: Date; direction: 'inbound' | 'outbound' },
): Promise<void> => {
  await sql`
    insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, external_id, sent_at, revision)
    select id, ${accountId}, ${conversationId}, ${contactId}, ${channelId}, ${direction}, 'Hello', id::text, ${at}, 0
    from (select uuidv7(${at}::timestamptz - clock_timestamp()) as id) as message`;
};

/** A run of a flow that began at one time and ended, as what, at another one. */
export const aRunThatEnded = async (
  sql: Sql,
  { flowId, contactId }: { flowId: string; contactId: string },
  { startedAt, endedAt, status }: { startedAt: Date; endedAt: Date; status: 'completed' | 'failed' | 'cancelled' },
): Promise<void> => {
  await sql`
    insert into runs (id, account_id, contact_id, flow_id, version, root_run_id, one_active, status, started_at, ended_at)
    select uuidv7(${startedAt}::timestamptz - clock_timestamp()), account_id, ${contactId}, id, version, uuidv7(), false, ${status},
      ${startedAt}, ${endedAt}
    from flows where id = ${flowId}`;
};

/** What accounts did in hours before this one is rolled up, with whatever was made of it. */
export const setActivityRolledUpUntil = async (sql: Sql, hour: Date): Promise<void> => {
  await sql`update activity_progress set rolled_up_until = ${hour}`;
};

/** An hour of an account that was rolled up so many days ago. */
export const anOldHourOfActivity = async (sql: Sql, accountId: string, daysAgo: number): Promise<void> => {
  await sql`
    insert into activity_hours (account_id, hour, messages_received, messages_sent, new_contacts, runs_started, runs_completed, runs_failed,
      runs_cancelled)
    values (${accountId}, date_trunc('hour', now() - make_interval(days => ${daysAgo})), 1, 0, 0, 0, 0, 0, 0)`;
};
