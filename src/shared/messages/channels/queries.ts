import { previousUntil } from '../../signing/secrets.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { pageOf, type Page } from '../../platform/db/page.ts';
import { newUuid } from '../../ids.ts';
import type { ChannelRow } from './schema.ts';
import type { ChannelType } from './declarations.ts';

const columns = (sql: Sql) => sql`id, type, name, callback_url, created_at`;

/** A channel to be inserted; `id` is a new UUID unless it is given, the secret is sealed for it. */
export type NewChannelRow = {
  id?: string;
  type: ChannelType;
  name: string;
  callbackUrl?: string | null;
  secret?: Buffer | null;
};

/** Adds a channel to the account. */
export const insertChannel = async (sql: Sql, accountId: string, channel: NewChannelRow): Promise<ChannelRow> => {
  const { id = newUuid(), type, name, callbackUrl = null, secret = null } = channel;
  const [row] = await sql<[ChannelRow]>`
    insert into channels (id, account_id, type, name, callback_url, secret)
    values (${id}, ${accountId}, ${type}, ${name}, ${callbackUrl}, ${secret})
    returning ${columns(sql)}`;
  return row;
};

/** Whether the account has `count` channels or more. */
export const hasChannels = async (sql: Sql, accountId: string, count: number): Promise<boolean> => {
  const found = await sql`select from channels where account_id = ${accountId} limit ${count}`;
  return found.count >= count;
};

/** The account's channel, or undefined; `id` is its UUID. */
export const findChannel = async (sql: Sql, accountId: string, id: string): Promise<ChannelRow | undefined> => {
  const [row] = await sql<ChannelRow[]>`
    select ${columns(sql)} from channels where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The type of the account's channel, or undefined; `id` is its UUID. */
export const findChannelType = async (sql: Sql, accountId: string, id: string): Promise<ChannelType | undefined> => {
  const [row] = await sql<
    { type: ChannelType }[]
  >`select type from channels where account_id = ${accountId} and id = ${id}`;
  return row?.type;
};

/** A page of the account's channels, newest first. */
export const listChannels = (sql: Sql, accountId: string, page: Page): Promise<ChannelRow[]> => sql<ChannelRow[]>`
  select ${columns(sql)} from channels
  where account_id = ${accountId} ${pageOf(sql, page)}`;

/** What a channel has of its config; the secret is sealed. */
export type PresentConfig = { callbackUrl: string | null; secret: Buffer | null };

/** Locks the account's channel. */
export const lockChannel = async (
  sql: Sql,
  accountId: string,
  id: string,
): Promise<(PresentConfig & { type: ChannelType }) | undefined> => {
  const [row] = await sql<(PresentConfig & { type: ChannelType })[]>`
    select type, callback_url, secret from channels where account_id = ${accountId} and id = ${id} for no key update`;
  return row;
};

/** What is stored of a config: a new secret with the replaced one where that signs on for a while, both sealed. */
export type StoredConfig = {
  callbackUrl?: string | null;
  secret?: { secret: Buffer; previous: Buffer | null };
};

/** Changes a locked channel, in force at once, also for messages that wait already. */
export const updateChannelRow = async (
  sql: Sql,
  id: string,
  { name, callbackUrl, secret }: StoredConfig & { name?: string },
): Promise<ChannelRow> => {
  const changedSecret = secret
    ? sql`secret = ${secret.secret}, previous_secret = ${secret.previous},
      previous_secret_until = ${previousUntil(sql, secret.previous)},`
    : sql``;
  const [row] = await sql<[ChannelRow]>`
    update channels set ${changedSecret} name = ${name ?? sql`name`},
      callback_url = ${callbackUrl === undefined ? sql`callback_url` : callbackUrl}
    where id = ${id} returning ${columns(sql)}`;
  return row;
};
