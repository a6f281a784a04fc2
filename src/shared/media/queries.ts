import type { Sql } from '../platform/db/connect.ts';
import { ofVisitors } from './limits.ts';
import type { Content } from './look-on-thread.ts';
import type { MediaFile, MediaRow } from './schema.ts';

/** What an account may keep. */
export type MediaQuota = { bytes: number; files: number };

const columns = (sql: Sql) => sql`id, type, name, content_type, bytes, width, height, has_thumbnail, created_at`;

/** The account's file, or undefined; `id` is its UUID. */
export const findMedia = async (sql: Sql, accountId: string, id: string): Promise<MediaRow | undefined> => {
  const [row] = await sql<MediaRow[]>`
    select ${columns(sql)} from media where account_id = ${accountId} and id = ${id} and state = 'stored'`;
  return row;
};

/** Those of these files, UUIDs, that the account has. */
export const listMedia = (sql: Sql, accountId: string, ids: readonly string[]): Promise<MediaFile[]> => sql<
  MediaFile[]
>`
  select id, type, name, content_type, bytes, width, height, has_thumbnail from media
  where account_id = ${accountId} and id = any(${[...ids]}::uuid[]) and state = 'stored'`;

/** Whether an account has no room for a file of so many bytes. */
export const isQuotaFull = async (
  sql: Sql,
  accountId: string,
  { bytes, quota }: { bytes: number; quota: MediaQuota },
): Promise<boolean> => {
  const found = await sql`
    select from media_usage
    where account_id = ${accountId} and (bytes + ${bytes} > ${quota.bytes} or files + 1 > ${quota.files})`;
  return found.count > 0;
};

/** How much an account keeps. */
export const readUsage = async (sql: Sql, accountId: string): Promise<MediaQuota> => {
  const [row] = await sql<MediaQuota[]>`
    select bytes::float8 as bytes, files from media_usage where account_id = ${accountId}`;
  return row ?? { bytes: 0, files: 0 };
};

/** Whether a visitor, or all of the account's together, have sent in a day what they may. */
export const isVisitorsShareFull = async (
  sql: Sql,
  { accountId, visitorId }: { accountId: string; visitorId: string },
  { bytes, quota }: { bytes: number; quota: MediaQuota },
): Promise<boolean> => {
  const { partOfQuota, ...ofOne } = ofVisitors;
  const found = await sql`
    select from media
    where account_id = ${accountId} and visitor_id is not null and created_at > clock_timestamp() - interval '1 day'
    having coalesce(sum(bytes), 0) + ${bytes} > ${quota.bytes * partOfQuota} or count(*) + 1 > ${quota.files * partOfQuota}
      or coalesce(sum(bytes) filter (where visitor_id = ${visitorId}), 0) + ${bytes} > ${ofOne.bytes}
      or count(*) filter (where visitor_id = ${visitorId}) + 1 > ${ofOne.files}`;
  return found.count > 0;
};

/** The row of a file that is about to come; answers its id, a UUID. */
export const insertMedia = async (
  sql: Sql,
  { accountId, name, visitorId = null }: { accountId: string; name: string; visitorId?: string | null | undefined },
): Promise<string> => {
  const [row] = await sql<[{ id: string }]>`
    insert into media (account_id, name, visitor_id) values (${accountId}, ${name}, ${visitorId}) returning id`;
  return row.id;
};

/** The file is whole, and counts. Undefined, with nothing changed, where the account has no room for it. */
export const completeMedia = async (
  sql: Sql,
  { accountId, id }: { accountId: string; id: string },
  { content, bytes, quota }: { content: Content; bytes: number; quota: MediaQuota },
): Promise<MediaRow | undefined> => {
  const [row] = await sql<MediaRow[]>`
    with counted as (
      insert into media_usage as u (account_id, bytes, files)
      select ${accountId}, ${bytes}::bigint, 1 where ${bytes}::bigint <= ${quota.bytes}::bigint and ${quota.files}::int >= 1
      on conflict (account_id) do update set bytes = u.bytes + excluded.bytes, files = u.files + 1
      where u.bytes + excluded.bytes <= ${quota.bytes}::bigint and u.files < ${quota.files}::int
      returning account_id
    )
    update media set state = 'stored', type = ${content.type}, content_type = ${content.contentType}, bytes = ${bytes},
      width = ${content.width}, height = ${content.height}, has_thumbnail = ${content.thumbnail !== null}
    from counted where media.id = ${id} and media.account_id = counted.account_id and media.state = 'receiving'
    returning ${sql`media.id, media.type, media.name, media.content_type, media.bytes, media.width, media.height, media.has_thumbnail, media.created_at`}`;
  return row;
};

/**
 * The account's files by their ids, UUIDs, which a message uses from now on: none of them is removed as unused. They are locked in the order of
 * their ids. The answer lacks those that are not there.
 */
export const useMedia = async (
  sql: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, MediaFile>> => {
  const rows = await sql<MediaFile[]>`
    with held as materialized (
      select id from media where account_id = ${accountId} and id = any(${[...ids]}::uuid[]) and state = 'stored'
      order by id for no key update
    )
    update media set used_at = coalesce(used_at, clock_timestamp()) from held where media.id = held.id
    returning media.id, media.type, media.name, media.content_type, media.bytes, media.width, media.height, media.has_thumbnail`;
  return new Map(rows.map((row) => [row.id, row]));
};

/** No message uses these files, UUIDs, after all: they are removed as unused. */
export const releaseMedia = async (sql: Sql, accountId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await sql`update media set used_at = null where account_id = ${accountId} and id = any(${[...ids]}::uuid[])`;
};

/** Which of these files, UUIDs, a visitor of a webchat has sent. */
export const listSentByVisitor = async (
  sql: Sql,
  { accountId, visitorId, ids }: { accountId: string; visitorId: string; ids: readonly string[] },
): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ id: string }[]>`
    select id from media
    where account_id = ${accountId} and visitor_id = ${visitorId} and id = any(${[...ids]}::uuid[]) and state = 'stored'`;
  return new Set(rows.map(({ id }) => id));
};
