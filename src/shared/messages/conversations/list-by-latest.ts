import type { Fragment, Sql } from '../../platform/db/connect.ts';
import {
  areAmong,
  columns,
  firstAtMost,
  readTagged,
  rowOf,
  shown,
  type ConversationFilter,
  type Stored,
} from './find-conversations.ts';
import type { ConversationRow } from './schema.ts';

/** So many conversations are few: the latest message of each is looked up. */
const few = 1_000;

/** The same of a channel, user or contact, whose conversations may all be old, with very many messages after them. */
const fewOfOne = 10_000;

/** `before` is the UUID of the latest message of the last conversation of the page before. */
type Page = { filter: ConversationFilter; limit: number; before: string | undefined };

/**
 * A page of the account's conversations, the one with the latest message first. Nothing is stored of that order, so that messages pay for no more
 * than an index: few conversations are sorted, and otherwise the account's messages are read from the latest on, of which each conversation's
 * last one counts. Where so many messages hold no whole page, the conversations are sorted after all: there are fewer of them than of messages.
 */
export const listByLatest = async (sql: Sql, accountId: string, page: Page): Promise<ConversationRow[]> => {
  const rows = await readTagged(page, {
    read: (asked) => readPage(sql, accountId, asked),
    readFirst: (asked, atMost) => selectFromMessages(sql, accountId, asked, atMost),
  });
  return rows.map(rowOf);
};

const readPage = async (sql: Sql, accountId: string, page: Page): Promise<Stored[]> => {
  const { status: _, tag, found, ...ofOne } = page.filter;
  if (tag ?? found) return selectFromFew(sql, accountId, page);
  const most = Object.values(ofOne).every((value) => value === undefined) ? few : fewOfOne;
  const { count } = await sql`
    select from conversations where ${areAmong(sql, accountId, page.filter)} limit ${most + 1}`;
  if (count <= most) return selectFromFew(sql, accountId, page);
  const first = await selectFromMessages(sql, accountId, page, firstAtMost);
  return first.length === page.limit ? first : selectFromFew(sql, accountId, page);
};

/** The statement that sorts conversations. */
const selectFromFew = (sql: Sql, accountId: string, { filter, limit, before }: Page) =>
  selectShown(
    sql,
    sql`
      select ${columns(sql)}, latest_id from conversations cross join lateral (
        select id as latest_id from messages where conversation_id = conversations.id order by id desc limit 1) as latest
      where ${areAmong(sql, accountId, filter)} ${before === undefined ? sql`` : sql`and latest_id < ${before}`}
      order by latest_id desc limit ${limit}`,
  );

/**
 * The statement that reads messages, so many at most. Both look-ups are made for each message, in the order of the index, until the page is full.
 */
export const selectFromMessages = (sql: Sql, accountId: string, { filter, limit, before }: Page, atMost?: number) =>
  selectShown(
    sql,
    sql`
      select v.*, m.id as latest_id from (
        select account_id, id, conversation_id from messages
        where account_id = any(${[accountId]}::uuid[]) ${before === undefined ? sql`` : sql`and id < ${before}`}
        order by account_id desc, id desc ${atMost === undefined ? sql`` : sql`limit ${atMost}`}) as m
      cross join lateral (
        select ${columns(sql)} from conversations where id = m.conversation_id and ${areAmong(sql, accountId, filter)} offset 0) as v
      where m.id = (select id from messages where conversation_id = m.conversation_id order by id desc limit 1)
      order by m.account_id desc, m.id desc limit ${limit}`,
  );

const selectShown = (sql: Sql, page: Fragment) => sql<Stored[]>`${shown(sql, page)} order by v.latest_id desc`;
