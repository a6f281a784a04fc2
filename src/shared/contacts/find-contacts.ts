import { contactColumns } from './queries.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { meets, type FieldCondition } from './field-conditions.ts';
import type { ContactRow } from './schema.ts';

/** Which contacts. */
export type ContactFilter = {
  /** UUIDs: only these. */
  id?: readonly string[] | undefined;
  email?: string | undefined;
  /** The forms in which it may be stored. */
  phone?: readonly string[] | undefined;
  status?: ContactRow['status'] | undefined;
  /** The names of tags, in any letter case: those that have all of them. */
  tag?: readonly string[] | undefined;
  updated_after?: Date | undefined;
  /** The beginning of a name, an e-mail address or an external id, and the beginnings of the forms in which a phone number may be stored. */
  search?: { text: string; phones: readonly string[] } | undefined;
  conditions?: readonly FieldCondition[];
};

/** Where a page begins: behind this contact. `at` is its place in an order other than that of the ids. */
export type Place = { id: string; at: string | null };

/** A contact as lists have it. */
export type ListedContactRow = ContactRow & Place;

/** `changed`: the latest change first. Without a search and a time alone, which have orders of their own. */
export type ContactOrder = 'newest' | 'oldest' | 'changed';

type Paged = { limit: number; before: Place | undefined };

/**
 * A page of the account's contacts that the filter lets through: those that are searched in the order of what was found, those that have changed
 * since a time in the order of their changes, any others the newest first. Each order is that of an index.
 */
export const listContacts = (
  sql: Sql,
  accountId: string,
  { filter, order = 'newest', ...page }: Paged & { filter: ContactFilter; order?: ContactOrder },
) => {
  const { search, updated_after: since } = filter;
  if (search !== undefined) return listFound(sql, accountId, { filter, search, ...page });
  if (since !== undefined) return listChanged(sql, accountId, { filter, since, ...page });
  if (order === 'changed') return listLatestChanged(sql, accountId, { filter, ...page });
  return listByAge(sql, accountId, { filter, isOldestFirst: order === 'oldest', ...page });
};

/** What the cursor of a page says that has the oldest first. */
export const oldestFirst = 'oldest';

const listByAge = (
  sql: Sql,
  accountId: string,
  {
    filter: { tag: tags = [], ...filter },
    isOldestFirst,
    limit,
    before,
  }: Paged & { filter: ContactFilter; isOldestFirst: boolean },
) => {
  const at = isOldestFirst ? sql`${oldestFirst}::text as at` : sql`null as at`;
  const direction = isOldestFirst ? sql`asc` : sql`desc`;
  const behind = before && (isOldestFirst ? sql`> ${before.id}` : sql`< ${before.id}`);
  const conditions = sql`account_id = ${accountId} ${conditionsOf(sql, accountId, filter)}`;
  if (tags.length === 0)
    return sql<ListedContactRow[]>`
      select ${contactColumns(sql)}, ${at} from contacts
      where ${conditions} ${behind ? sql`and id ${behind}` : sql``}
      order by id ${direction} limit ${limit}`;
  // PostgreSQL would begin with any tag that it may join. It cannot join a scalar subquery.
  const others = (tags.length > 1 ? tags : []).map(
    (name) => sql`
      and (select true from contact_tags where contact_id = g.contact_id and tag_id = ${tagOf(sql, accountId, name)})`,
  );
  // Contacts with a tag are read in the order of its index; of several tags, the rarest is read. Each contact is looked up by itself (`offset 0`),
  // because PostgreSQL takes every tag for as common as the others, and would read all contacts to find the few of a rare one.
  return sql<ListedContactRow[]>`
    select ${contactColumns(sql)}, ${at}
    from contact_tags g cross join lateral (select * from contacts where id = g.contact_id and ${conditions} offset 0) contacts
    where g.tag_id = ${rarestOf(sql, accountId, tags)} ${joined(sql, others)} ${behind ? sql`and g.contact_id ${behind}` : sql``}
    order by g.contact_id ${direction} limit ${limit}`;
};

/** The place of a change in microseconds: JavaScript's times have only milliseconds. */
const listChanged = (
  sql: Sql,
  accountId: string,
  { filter, since, limit, before }: Paged & { filter: ContactFilter; since: Date },
) => sql<ListedContactRow[]>`
  select ${contactColumns(sql)}, (extract(epoch from updated_at) * 1000000)::bigint::text as at from contacts
  where account_id = ${accountId} and updated_at > ${since} ${conditionsOf(sql, accountId, filter)}
    ${before ? sql`and (updated_at, id) > ('epoch'::timestamptz + ${before.at}::bigint * interval '1 microsecond', ${before.id})` : sql``}
  order by updated_at, id limit ${limit}`;

/** The same from the latest change on. */
const listLatestChanged = (
  sql: Sql,
  accountId: string,
  { filter, limit, before }: Paged & { filter: ContactFilter },
) => sql<ListedContactRow[]>`
  select ${contactColumns(sql)}, (extract(epoch from updated_at) * 1000000)::bigint::text as at from contacts
  where account_id = ${accountId} ${conditionsOf(sql, accountId, filter)}
    ${before ? sql`and (updated_at, id) < ('epoch'::timestamptz + ${before.at}::bigint * interval '1 microsecond', ${before.id})` : sql``}
  order by updated_at desc, id desc limit ${limit}`;

/** The highest character: a text with it at its end sorts behind every text with the same beginning. */
const highest = '\u{10FFFF}';

/**
 * Each way to find a contact is read from an index by itself, as far as the page goes. A contact that is found in several ways stands at the
 * first of its places.
 */
const listFound = (
  sql: Sql,
  accountId: string,
  {
    filter,
    search: { text, phones },
    limit,
    before,
  }: Paged & { filter: ContactFilter; search: NonNullable<ContactFilter['search']> },
) => {
  const lowered = sql`lower(${text})`;
  const ways = [
    { term: sql`lower(first_name || ' ' || coalesce(last_name, ''))`, start: lowered },
    { term: sql`lower(last_name)`, start: lowered },
    { term: sql`lower(email)`, start: lowered },
    ...phones.map((phone) => ({ term: sql`phone`, start: sql`${phone}::text` })),
    { term: sql`external_id`, start: sql`${text}::text` },
  ];
  const conditions = conditionsOf(sql, accountId, filter);
  const found = ways.map(({ term, start }, index) => {
    const earlier = ways.slice(0, index).map((way) => sql`and starts_with(${way.term}, ${way.start}) is not true`);
    const after = before && sql`and ${term} ~>=~ ${before.at} and (${term} ~>~ ${before.at} or id > ${before.id})`;
    return sql`(
      select id, ${term} as at from contacts
      where account_id = ${accountId} and ${term} ~>=~ ${start} and ${term} ~<~ (${start} || ${highest}) ${after ?? sql``}
        ${joined(sql, earlier)} ${conditions}
      order by ${term} using ~<~, id limit ${limit})`;
  });
  return sql<ListedContactRow[]>`
    select ${contactColumns(sql)}, found.at
    from (select * from (${found.reduce((all, next) => sql`${all} union all ${next}`)}) each_way order by at using ~<~, id limit ${limit}) found
    join contacts using (id) order by found.at using ~<~, id`;
};

const tagOf = (sql: Sql, accountId: string, name: string): Fragment =>
  sql`(select id from tags where account_id = ${accountId} and lower(name) = lower(${name}))`;

/** The contacts of a tag are counted up to this many, to tell which of several tags is the rarest. It takes PostgreSQL a millisecond. */
const rarityCap = 10_001;

/** SQL: the tag of the fewest contacts. A name without a tag counts as the rarest, and finds nobody. */
const rarestOf = (sql: Sql, accountId: string, [name = '', ...more]: readonly string[]): Fragment =>
  more.length === 0
    ? tagOf(sql, accountId, name)
    : sql`(
      select tags.id from unnest(${[name, ...more]}::text[]) as named
      left join tags on tags.account_id = ${accountId} and lower(tags.name) = lower(named)
      order by (select count(*) from (select from contact_tags where tag_id = tags.id order by contact_id limit ${rarityCap}) as having_it)
      limit 1)`;

/** SQL: what the filter asks, each with its `and`. */
const conditionsOf = (
  sql: Sql,
  accountId: string,
  { id: ids, email, phone, status, tag = [], updated_after: since, conditions = [] }: ContactFilter,
): Fragment =>
  joined(sql, [
    ids === undefined ? sql`` : sql`and id = any(${[...ids]}::uuid[])`,
    email === undefined ? sql`` : sql`and lower(email) = lower(${email})`,
    phone === undefined ? sql`` : sql`and phone = any(${[...phone]})`,
    status === undefined ? sql`` : sql`and status = ${status}`,
    since === undefined ? sql`` : sql`and updated_at > ${since}`,
    ...tag.map(
      (name) => sql`
        and exists (select from contact_tags where contact_id = contacts.id and tag_id = ${tagOf(sql, accountId, name)})`,
    ),
    ...conditions.map((condition) => sql`and ${meets(sql, condition)}`),
  ]);

const joined = (sql: Sql, fragments: readonly Fragment[]): Fragment =>
  fragments.reduce((all, next) => sql`${all} ${next}`, sql``);
