import postgres from 'postgres';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import { contactsCap, contactsCapOfLists, type CountedTagRow, type TagRow } from './schema.ts';

/** PostgreSQL would read all contacts of a tag, and count the first ones, unless it has to read them in an order. */
const counted = (sql: Sql, most = contactsCap) => sql`
  id, name, created_at,
  (select count(*)::int from (
    select from contact_tags where tag_id = tags.id order by contact_id limit ${most}) as having_it) as contacts`;

/** A page of the account's tags, newest first; of a search only those whose names have its text in any letter case. */
export const listTags = (
  sql: Sql,
  accountId: string,
  { search, ...page }: Page & { search?: string | undefined },
): Promise<CountedTagRow[]> => sql<CountedTagRow[]>`
  select ${counted(sql, contactsCapOfLists)} from tags
  where account_id = ${accountId} ${search === undefined ? sql`` : sql`and strpos(lower(name), lower(${search})) > 0`}
    ${pageOf(sql, page)}`;

/** The account's tag, or undefined; `id` is its UUID. */
export const findTag = async (sql: Sql, accountId: string, id: string): Promise<CountedTagRow | undefined> => {
  const [row] = await sql<CountedTagRow[]>`
    select ${counted(sql)} from tags where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The name of the account's tag, or undefined; `id` is its UUID. */
export const findTagName = async (sql: Sql, accountId: string, id: string): Promise<string | undefined> => {
  const [row] = await sql<{ name: string }[]>`select name from tags where account_id = ${accountId} and id = ${id}`;
  return row?.name;
};

/** Gives a tag another name. Undefined when it is gone. Throws PostgreSQL's error where another tag has the name: see `isNameTaken`. */
export const updateTag = async (
  sql: Sql,
  { accountId, id, name }: { accountId: string; id: string; name: string },
): Promise<CountedTagRow | undefined> => {
  const [row] = await sql<CountedTagRow[]>`
    update tags set name = ${name} where account_id = ${accountId} and id = ${id} returning ${counted(sql)}`;
  return row;
};

export const isNameTaken = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.constraint_name === 'tags_name';

/** The account's tag of this name in any letter case, which nobody can delete before the transaction ends. */
export const holdTag = async (sql: Sql, accountId: string, name: string): Promise<TagRow | undefined> => {
  const [row] = await sql<TagRow[]>`
    select id, name, created_at from tags where account_id = ${accountId} and lower(name) = lower(${name}) for key share`;
  return row;
};

/** Adds a tag to the account. Undefined when it has one of this name in any letter case. */
export const insertTag = async (sql: Sql, accountId: string, name: string): Promise<TagRow | undefined> => {
  const [row] = await sql<TagRow[]>`
    insert into tags (account_id, name) values (${accountId}, ${name}) on conflict (account_id, lower(name)) do nothing
    returning id, name, created_at`;
  return row;
};

/** Deletes a tag, from its contacts, too. */
export const deleteTag = async (sql: Sql, accountId: string, id: string): Promise<void> => {
  await sql`delete from tags where account_id = ${accountId} and id = ${id}`;
};

/** Whether the account has more than `most` tags. */
export const hasMoreTags = async (sql: Sql, accountId: string, most: number): Promise<boolean> => {
  const { count } = await sql`select from tags where account_id = ${accountId} limit ${most + 1}`;
  return count > most;
};

/** Whether the contact has more than `most` tags. */
export const contactHasMoreTags = async (sql: Sql, contactId: string, most: number): Promise<boolean> => {
  const { count } = await sql`select from contact_tags where contact_id = ${contactId} limit ${most + 1}`;
  return count > most;
};

/** A page of the tags that a contact has, the latest first. The id is of the moment at which it got the tag. */
export const listTagsOf = (sql: Sql, contactId: string, page: Page) => sql<
  { id: string; name: string; appliedAt: Date }[]
>`
  select * from (
    select (left(uuid_from_time(g.applied_at)::text, 18) || right(t.id::text, 18))::uuid as id, t.name, g.applied_at
    from contact_tags g join tags t on t.id = g.tag_id where g.contact_id = ${contactId}) as applied
  where true ${pageOf(sql, page)}`;
