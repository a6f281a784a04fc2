import { notFound, RequestError } from '../../errors.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { draftLimits, type DraftKind, type DraftRow } from './schema.ts';

/** A user's draft of a kind in a conversation of the account; ids are UUIDs. */
export type WhichDraft = { accountId: string; userId: string; conversationId: string; kind: DraftKind };

const columns = (sql: Sql) => sql`kind, text, revision, updated_at`;

/** The draft, or an empty one. Throws `not_found` when the account has no such conversation. */
export const getDraft = async (sql: Sql, which: WhichDraft): Promise<DraftRow> => {
  const { accountId, userId, conversationId, kind } = which;
  const [row] = await sql<(Omit<DraftRow, 'revision' | 'text'> & { text: string | null; revision: number })[]>`
    select ${kind}::text as kind, d.text, coalesce(d.revision, 0) as revision, d.updated_at
    from conversations v left join conversation_drafts d on d.conversation_id = v.id and d.user_id = ${userId} and d.kind = ${kind}
    where v.id = ${conversationId} and v.account_id = ${accountId}`;
  if (!row) throw notFound('conversation');
  return { ...row, text: row.text ?? '' };
};

/**
 * Saves a draft: the last one who saves wins, unless `expected` lacks the revision that is there, 0 for none. Throws `not_found`,
 * `precondition_failed`, and `conflict` for a user who has the most drafts already.
 */
export const saveDraft = async (
  sql: Sql,
  which: WhichDraft,
  { text, expected }: { text: string; expected: readonly number[] | undefined },
): Promise<DraftRow> => {
  const { userId, conversationId, kind } = which;
  await lockDraftsOf(sql, userId);
  const { revision } = await getDraft(sql, which);
  if (expected && !expected.includes(revision))
    throw new RequestError('precondition_failed', 'This draft has changed meanwhile.');
  if (revision === 0) await requireRoom(sql, userId);
  const [saved] = await sql<[DraftRow]>`
    insert into conversation_drafts (user_id, conversation_id, kind, text) values (${userId}, ${conversationId}, ${kind}, ${text})
    on conflict (user_id, conversation_id, kind) do update
      set text = excluded.text, revision = default, updated_at = clock_timestamp()
    returning ${columns(sql)}`;
  return saved;
};

/** Deletes the draft, if there is one: it was sent, or is not wanted any more. */
export const deleteDraft = async (sql: Sql, { userId, conversationId, kind }: WhichDraft): Promise<void> => {
  await lockDraftsOf(sql, userId);
  await sql`
    delete from conversation_drafts where user_id = ${userId} and conversation_id = ${conversationId} and kind = ${kind}`;
};

/** Those who change drafts of one user follow one another, so that a save neither exceeds the bound nor brings back what was sent meanwhile. */
const lockDraftsOf = (sql: Sql, userId: string) => sql`select from users where id = ${userId} for no key update`;

const requireRoom = async (sql: Sql, userId: string): Promise<void> => {
  const { count } = await sql`select from conversation_drafts where user_id = ${userId} limit ${draftLimits.drafts}`;
  if (count >= draftLimits.drafts)
    throw new RequestError('conflict', `You have ${draftLimits.drafts} drafts already. Send or delete some first.`);
};
