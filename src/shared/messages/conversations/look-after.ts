import { found, notFound, RequestError } from '../../errors.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { pageOf, type Page } from '../../platform/db/page.ts';
import type { Transaction } from '../../platform/dispatch/transact.ts';
import { noteLimits, type NoteRow } from '../schema.ts';

/** A conversation of the account; the id is a UUID. */
type Which = { accountId: string; id: string };

/** Has a user of the account, a UUID, look after a conversation; null: nobody. Throws `not_found` for a user and a conversation of others. */
export const assign = async (
  { sql }: Transaction,
  { accountId, id, userId }: Which & { userId: string | null },
): Promise<void> => {
  if (userId !== null) {
    // Held until the transaction ends, so that a user who is removed meanwhile is taken off this conversation, too.
    const [user] = await sql`select id from users where id = ${userId} and account_id = ${accountId} for key share`;
    found('user', user);
  }
  const { count } = await sql`
    update conversations set assigned_to = ${userId} where id = ${id} and account_id = ${accountId}`;
  if (count === 0) throw notFound('conversation');
};

/** Takes a user who leaves off all conversations. */
export const unassignUser = async (
  sql: Sql,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> => {
  await sql`update conversations set assigned_to = null where assigned_to = ${userId} and account_id = ${accountId}`;
};

/** An agent has seen the messages of a conversation that are there. */
export const markRead = async (sql: Sql, { accountId, id }: Which): Promise<void> => {
  await sql`
    update conversations v set read_to = latest.id
    from (select id from messages where conversation_id = ${id} order by id desc limit 1) as latest
    where v.id = ${id} and v.account_id = ${accountId} and v.read_to is distinct from latest.id`;
};

const noteColumns = (sql: Sql) => sql`id, conversation_id, user_id, text, created_at`;

/** Writes a note of a user, or of an API key. Throws `not_found`, and `conflict` for a conversation that has the most notes already. */
export const addNote = async (
  sql: Sql,
  { accountId, id, userId = null, text }: Which & { userId?: string | null | undefined; text: string },
): Promise<NoteRow> => {
  const held = await sql`select from conversations where id = ${id} and account_id = ${accountId} for no key update`;
  if (held.count === 0) throw notFound('conversation');
  const [note] = await sql<NoteRow[]>`
    insert into conversation_notes (account_id, conversation_id, user_id, text)
    select ${accountId}, ${id}, ${userId}, ${text}
    where (select count(*) from conversation_notes where conversation_id = ${id}) < ${noteLimits.notes}
    returning ${noteColumns(sql)}`;
  if (!note) throw new RequestError('conflict', `A conversation has at most ${noteLimits.notes} notes.`);
  return note;
};

/** A page of the notes of a conversation, newest first. */
export const listNotes = (sql: Sql, { accountId, id }: Which, page: Page): Promise<NoteRow[]> => sql<NoteRow[]>`
  select ${noteColumns(sql)} from conversation_notes
  where conversation_id = ${id} and account_id = ${accountId} ${pageOf(sql, page)}`;
