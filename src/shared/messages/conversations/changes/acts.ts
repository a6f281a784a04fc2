import type { Sql } from '../../../platform/db/connect.ts';
import { pageOf, type Page } from '../../../platform/db/page.ts';
import type { Which } from './revisions.ts';
import type { ActKind, ActRow } from './schema.ts';

/** What is done to a conversation, and by which user, a UUID; nobody: by a flow, the contact, an API key or the clock. Ids in `data` are TypeIDs. */
export type NewAct = Which & {
  kind: ActKind;
  userId?: string | null | undefined;
  data?: Readonly<Record<string, string | null>> | undefined;
};

/** Writes an act at a revision that its transaction has taken. */
export const insertAct = async (sql: Sql, act: NewAct & { revision: number }): Promise<void> => {
  const { accountId, conversationId, kind, userId = null, data = {}, revision } = act;
  await sql`
    insert into conversation_acts (account_id, conversation_id, kind, user_id, data, revision)
    values (${accountId}, ${conversationId}, ${kind}, ${userId}, ${sql.json(data)}, ${revision})`;
};

/** SQL: the columns of an `ActRow`. */
export const actColumns = (sql: Sql) =>
  sql`id, conversation_id, kind, user_id, data, created_at, revision::float8 as revision`;

/** A page of the acts of a conversation, newest first; its id is a UUID. */
export const listActs = (sql: Sql, { accountId, id }: { accountId: string; id: string }, page: Page) => sql<ActRow[]>`
  select ${actColumns(sql)} from conversation_acts
  where conversation_id = ${id} and account_id = ${accountId} ${pageOf(sql, page)}`;
