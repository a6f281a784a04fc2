import type { Plan } from '../../accounts/plans.ts';
import { previousUntil } from '../../signing/secrets.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { pageOf, type Page } from '../../platform/db/page.ts';
import { newUuid } from '../../ids.ts';
import type { ConfigChange, StoredConfig } from './kind.ts';
import type { ChannelRow } from './schema.ts';

/** The url of kind `api` is shown as a part of its config. */
const columns = (sql: Sql) => sql`
  id, type, name, coalesce(config, jsonb_build_object('callback_url', callback_url)) as config, created_at`;

/** SQL: the account's channels that are not deleted. */
const ofAccount = (sql: Sql, accountId: string) => sql`account_id = ${accountId} and deleted_at is null`;

/** A channel to be inserted; `id` is a new UUID unless it is given, the secret is sealed for it. */
export type NewChannelRow = Partial<StoredConfig> & {
  id?: string;
  type: string;
  name: string;
  externalRef?: string | null;
};

/** Adds a channel to the account. */
export const insertChannel = async (sql: Sql, accountId: string, channel: NewChannelRow): Promise<ChannelRow> => {
  const { id = newUuid(), type, name, callbackUrl = null, config = null, secret = null, externalRef = null } = channel;
  const [row] = await sql<[ChannelRow]>`
    insert into channels (id, account_id, type, name, callback_url, config, secret, external_ref)
    values (${id}, ${accountId}, ${type}, ${name}, ${callbackUrl}, ${config && sql.json(config)}, ${secret}, ${externalRef})
    returning ${columns(sql)}`;
  return row;
};

/** Whether the account has `count` channels or more. */
export const hasChannels = async (sql: Sql, accountId: string, count: number): Promise<boolean> => {
  const found = await sql`select from channels where ${ofAccount(sql, accountId)} limit ${count}`;
  return found.count >= count;
};

/** The account's channel, or undefined; `id` is its UUID. */
export const findChannel = async (sql: Sql, accountId: string, id: string): Promise<ChannelRow | undefined> => {
  const [row] = await sql<ChannelRow[]>`
    select ${columns(sql)} from channels where ${ofAccount(sql, accountId)} and id = ${id}`;
  return row;
};

/** A page of the account's channels, newest first. */
export const listChannels = (sql: Sql, accountId: string, page: Page): Promise<ChannelRow[]> => sql<ChannelRow[]>`
  select ${columns(sql)} from channels
  where ${ofAccount(sql, accountId)} ${pageOf(sql, page)}`;

/** A channel with what is stored of its config; the secret is sealed. */
export type StoredChannel = StoredConfig & { type: string; name: string; externalRef: string | null };

const storedColumns = (sql: Sql) => sql`type, name, callback_url, config, secret, external_ref`;

/** The same of the account's channel, or undefined; `id` is its UUID. */
export const findStoredChannel = async (
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredChannel | undefined> => {
  const [row] = await sql<StoredChannel[]>`
    select ${storedColumns(sql)} from channels where ${ofAccount(sql, accountId)} and id = ${id}`;
  return row;
};

/** Locks the account's channel. */
export const lockChannel = async (sql: Sql, accountId: string, id: string): Promise<StoredChannel | undefined> => {
  const [row] = await sql<StoredChannel[]>`
    select ${storedColumns(sql)} from channels where ${ofAccount(sql, accountId)} and id = ${id} for no key update`;
  return row;
};

/** Changes a locked channel, in force at once, also for messages that wait already. */
export const updateChannelRow = async (
  sql: Sql,
  id: string,
  { name, callbackUrl, config, secret, externalRef }: ConfigChange & { name?: string; externalRef?: string | null },
): Promise<ChannelRow> => {
  const changedSecret = secret
    ? sql`secret = ${secret.secret}, previous_secret = ${secret.previous},
      previous_secret_until = ${previousUntil(sql, secret.previous)},`
    : sql``;
  const [row] = await sql<[ChannelRow]>`
    update channels set ${changedSecret} name = ${name ?? sql`name`},
      callback_url = ${callbackUrl === undefined ? sql`callback_url` : callbackUrl},
      config = ${config === undefined ? sql`config` : config && sql.json(config)},
      external_ref = ${externalRef === undefined ? sql`external_ref` : externalRef}
    where id = ${id} returning ${columns(sql)}`;
  return row;
};

/** The channel of this type, whosever it is, with its account's plan, or undefined; `id` is its UUID. */
export const findPublicChannel = async (
  sql: Sql,
  { type, id }: { type: string; id: string },
): Promise<(StoredConfig & { accountId: string; plan: Plan }) | undefined> => {
  const [row] = await sql<(StoredConfig & { accountId: string; plan: Plan })[]>`
    select c.account_id, a.plan, c.callback_url, c.config, c.secret from channels c join accounts a on a.id = c.account_id
    where c.id = ${id} and c.type = ${type} and c.deleted_at is null`;
  return row;
};

/** Whose channel has an account of a service; the id is a UUID. */
export const findConnected = async (
  sql: Sql,
  { type, externalRef }: { type: string; externalRef: string },
): Promise<{ id: string; accountId: string } | undefined> => {
  const [row] = await sql<{ id: string; accountId: string }[]>`
    select id, account_id from channels where type = ${type} and external_ref = ${externalRef} and deleted_at is null`;
  return row;
};

/** Notes to which base of its address the service of a channel, a UUID, was told to send. */
export const noteConnectedBase = async (sql: Sql, id: string, base: string | null): Promise<void> => {
  await sql`update channels set connected_base = ${base} where id = ${id}`;
};

/** Removes a locked channel; one that has conversations or contacts is kept for them, and is found no more. */
export const deleteChannelRow = async (sql: Sql, id: string): Promise<void> => {
  // So that the next statement sees every message that has come in before.
  await sql`select from channels where id = ${id} for update`;
  const { count } = await sql`
    delete from channels where id = ${id}
      and not exists (select from conversations where channel_id = ${id})
      and not exists (select from contact_identities where channel_id = ${id})`;
  if (count === 0) await sql`update channels set deleted_at = clock_timestamp() where id = ${id}`;
};
