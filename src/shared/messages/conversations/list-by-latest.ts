import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { areAmong, columns, rowOf, shown, type ConversationFilter, type Stored } from './find-conversations.ts';
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
 * last one counts.
 */
export const listByLatest = async (sql: Sql, accountId: string, page: Page): Promise<ConversationRow[]> => {
  const { status: _, ...ofOne } = page.filter;
  const most = Object.values(ofOne).every((value) => value === undefined) ? few : fewOfOne;
  const { count } = await sql`
    select from conversations where ${areAmong(sql, accountId, page.filter)} limit ${most + 1}`;
  const select = count > most ? selectFromMessages : selectFromFew;
  return (await select(sql, accountId, page)).map(rowOf);
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

/** The statement that reads messages. Both look-ups are made for each message, in the order of the index, until the page is full. */
export const selectFromMessages = (sql: Sql, accountId: string, { filter, limit, before }: Page) =>
  selectShown(
    sql,
    sql`
      select v.*, m.id as latest_id from messages m cross join lateral (
        select ${columns(sql)} from conversations where id = m.conversation_id and ${areAmong(sql, accountId, filter)} offset 0) as v
      where m.account_id = any(${[accountId]}::uuid[]) ${before === undefined ? sql`` : sql`and m.id < ${before}`}
        and m.id = (select id from messages where conversation_id = m.conversation_id order by id desc limit 1)
      order by m.account_id desc, m.id desc limit ${limit}`,
  );

const selectShown = (sql: Sql, page: Fragment) => sql<Stored[]>`${shown(sql, page)} order by v.latest_id desc`;
