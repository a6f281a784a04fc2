import { readId } from '../../../src/shared/ids.ts';
import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of channels that no writer of the product makes, and why tests need them.

/** The day is over in which the replaced secret of a channel, a TypeID, is good: tests do not wait for it. */
export const endGraceOfSecrets = async (sql: Sql, channelId: string): Promise<void> => {
  await sql`
    update channels set previous_secret_until = clock_timestamp() - interval '1 second'
    where id = ${readId('channel', channelId)} and previous_secret is not null`;
};

/** A process polls for a channel, a UUID, and could not give it back: the database was away, which tests of one process do not take away. */
export const leaveClaimed = async (sql: Sql, channelId: string, processId: string): Promise<void> => {
  await sql`
    update channels set poller = ${processId}, poll_until = clock_timestamp() + interval '90 seconds' where id = ${channelId}`;
};

/** The tokens of visitors of a channel, a UUID, were used last so many days ago. */
export const ageTokens = async (sql: Sql, channelId: string, days: number): Promise<void> => {
  await sql`
    update webchat_tokens set used_at = clock_timestamp() - make_interval(days => ${days})
    where visitor_id in (select id from webchat_visitors where channel_id = ${channelId})`;
};

/** The day is over in which links of mails to visitors are good. */
export const expireLinks = async (sql: Sql): Promise<void> => {
  await sql`update webchat_links set expires_at = clock_timestamp() - interval '1 second'`;
};

/** A visitor of a channel, a UUID, has written first so many days ago, over a connection that brought no answer. */
export const ageVisitors = async (sql: Sql, channelId: string, days: number): Promise<void> => {
  await sql`
    update webchat_visitors set created_at = clock_timestamp() - make_interval(days => ${days}) where channel_id = ${channelId}`;
};

/** The tokens of all visitors have given way to those of other browsers. */
export const endTokens = async (sql: Sql): Promise<void> => {
  await sql`delete from webchat_tokens`;
};
