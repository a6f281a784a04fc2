import type { z } from 'zod';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
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

/** A page of the account's channels, newest first. */
export const listChannels = (sql: Sql, accountId: string, page: Page): Promise<ChannelRow[]> => sql<ChannelRow[]>`
  select id, type, name, created_at from channels
  where account_id = ${accountId} ${pageOf(sql, page)}`;
