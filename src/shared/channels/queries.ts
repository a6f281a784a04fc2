import type { z } from 'zod';
import type { Sql } from '../platform/db/connect.ts';
import type { ChannelRow, newChannel } from './schema.ts';

/** Adds a channel to the account. */
export const insertChannel = async (
  sql: Sql,
  accountId: string,
  { type, name }: z.infer<typeof newChannel>,
): Promise<ChannelRow> => {
  const [row] = await sql<[ChannelRow]>`
    insert into channels (account_id, type, name) values (${accountId}, ${type}, ${name})
    returning id, type, name, created_at`;
  return row;
};

/** The account's channel, or undefined; `id` is its UUID. */
export const findChannel = async (sql: Sql, accountId: string, id: string): Promise<ChannelRow | undefined> => {
  const [row] = await sql<ChannelRow[]>`
    select id, type, name, created_at from channels where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** A page of the account's channels, newest first; `before` is the id to go on from. */
export const listChannels = (
  sql: Sql,
  accountId: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<ChannelRow[]> => sql<ChannelRow[]>`
  select id, type, name, created_at from channels
  where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`}
  order by id desc limit ${limit}`;
