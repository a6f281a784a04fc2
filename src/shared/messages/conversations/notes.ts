import { RequestError } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import type { Writer } from '../../facts/tell.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { pageOf, type Page } from '../../platform/db/page.ts';
import { nextRevision } from './changes/revisions.ts';
import { deleteDraft } from '../drafts/drafts.ts';
import { noteLimits, type NoteRow } from './schema.ts';

/** A conversation of the account; the id is a UUID. */
type Which = { accountId: string; id: string };

/** SQL: the columns of a `NoteRow`. */
export const noteColumns = (sql: Sql) =>
  sql`id, conversation_id, user_id, text, created_at, coalesce(revision, 0)::float8 as revision`;

/** Writes a note of a user, whose draft of it goes, or of an API key. Throws `not_found`, and `conflict` for a conversation that has the most notes already. */
export const addNote = async (
  tx: Writer,
  { accountId, id, userId = null, text }: Which & { userId?: string | null | undefined; text: string },
): Promise<NoteRow> => {
  const { sql, tell } = tx;
  const revision = await nextRevision(tx, { accountId, conversationId: id });
  const [note] = await sql<NoteRow[]>`
    insert into conversation_notes (account_id, conversation_id, user_id, text, revision)
    select ${accountId}, ${id}, ${userId}, ${text}, ${revision}
    where (select count(*) from conversation_notes where conversation_id = ${id}) < ${noteLimits.notes}
    returning ${noteColumns(sql)}`;
  if (!note) throw new RequestError('conflict', `A conversation has at most ${noteLimits.notes} notes.`);
  if (userId !== null) await deleteDraft(sql, { accountId, userId, conversationId: id, kind: 'note' });
  await tell(changed(accountId, 'conversations'));
  return note;
};

/** A page of the notes of a conversation, newest first. */
export const listNotes = (sql: Sql, { accountId, id }: Which, page: Page): Promise<NoteRow[]> => sql<NoteRow[]>`
  select ${noteColumns(sql)} from conversation_notes
  where conversation_id = ${id} and account_id = ${accountId} ${pageOf(sql, page)}`;
