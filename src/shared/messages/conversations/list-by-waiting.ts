import type { Sql } from '../../platform/db/connect.ts';
import { areAmong, columns, rowOf, shown, type ConversationFilter, type Stored } from './find-conversations.ts';
import type { ConversationRow } from './schema.ts';

/** `before` is the place of the last conversation of the page before: since when it waits, and its UUID. */
type Page = {
  filter: ConversationFilter;
  limit: number;
  before: { waitingSince: Date; id: string } | undefined;
};

/** A page of the account's conversations that wait for an agent, the one that waits the longest first. */
export const listByWaiting = async (
  sql: Sql,
  accountId: string,
  { filter, limit, before }: Page,
): Promise<ConversationRow[]> => {
  const page = sql`
    select ${columns(sql)} from conversations
    where ${areAmong(sql, accountId, filter)} and waiting_since is not null
      ${before === undefined ? sql`` : sql`and (waiting_since, id) > (${before.waitingSince}, ${before.id})`}
    order by waiting_since, id limit ${limit}`;
  return (await sql<Stored[]>`${shown(sql, page)} order by v.waiting_since, v.id`).map(rowOf);
};
