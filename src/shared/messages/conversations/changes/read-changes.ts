import type { Sql } from '../../../platform/db/connect.ts';
import { messageColumns } from '../../queries.ts';
import type { MessageRow } from '../../schema.ts';
import { findConversation } from '../find-conversations.ts';
import { noteColumns } from '../notes.ts';
import type { ConversationRow, NoteRow } from '../schema.ts';
import { actColumns } from './acts.ts';
import type { Which } from './revisions.ts';
import type { ActRow } from './schema.ts';

/** After which revision of a conversation, and at most how many rows, but for those that have changed together. */
export type AskedChanges = Which & { after: number; limit: number };

/** Rows that have changed, in their present form and in the order of their changes, and the revision to read on from. */
export type Changes = {
  conversation: ConversationRow;
  messages: MessageRow[];
  notes: NoteRow[];
  acts: ActRow[];
  revision: number;
  hasMore: boolean;
};

/** A row, and the revision by which it is among the changes. */
export type Entered<Row> = Row & { at: number };

/**
 * Reads what has changed in a conversation. Undefined where the account has no such one. The conversation is read first: all that was committed up
 * to its revision is seen by the statements after it, there or at a later revision, which the next reading comes to.
 */
export const readChanges = async (sql: Sql, asked: AskedChanges): Promise<Changes | undefined> => {
  const conversation = await findConversation(sql, asked.accountId, asked.conversationId);
  if (!conversation) return undefined;
  const [messages, notes, acts] = await Promise.all([
    readChangedMessages(sql, [asked]),
    readChangedNotes(sql, asked),
    readChangedActs(sql, asked),
  ]);
  const all = [...messages, ...notes, ...acts].map(({ at }) => at).toSorted((one, other) => one - other);
  const hasMore = all.length > asked.limit;
  const revision = hasMore ? (all[asked.limit - 1] ?? asked.after) : conversation.revision;
  const upTo = hasMore ? revision : Infinity;
  const among = <Row extends { at: number }>(rows: readonly Row[]): Row[] => rows.filter(({ at }) => at <= upTo);
  return {
    conversation,
    messages: among(messages),
    notes: among(notes),
    acts: among(acts),
    revision,
    hasMore,
  };
};

/**
 * Reads the changed messages of conversations, one row more of each than its limit, and all that have changed together with the last. A message stands at the first of its changes that was asked
 * for, in its present form: it may come again at a later one.
 */
export const readChangedMessages = (sql: Sql, asked: readonly AskedChanges[]) => sql<Entered<MessageRow>[]>`
  select ${messageColumns(sql)}, changed.at::float8 as at
  from unnest(
    ${asked.map(({ conversationId }) => conversationId)}::uuid[], ${asked.map(({ after }) => after)}::bigint[],
    ${asked.map(({ limit }) => limit + 1)}::int[]
  ) as asked (conversation_id, after, most) cross join lateral (
    select id, min(revision) as at from (
      (select id, revision from messages where conversation_id = asked.conversation_id and revision > asked.after
        order by revision fetch first (asked.most) rows with ties)
      union all
      (select message_id, revision from outbound_messages where conversation_id = asked.conversation_id and revision > asked.after
        order by revision fetch first (asked.most) rows with ties)
    ) as either group by id order by at fetch first (asked.most) rows with ties
  ) as changed join messages m on m.id = changed.id left join outbound_messages o on o.message_id = m.id
  order by changed.at`;

const readChangedNotes = (sql: Sql, { conversationId, after, limit }: AskedChanges) => sql<Entered<NoteRow>[]>`
  select ${noteColumns(sql)}, revision::float8 as at from conversation_notes
  where conversation_id = ${conversationId} and revision > ${after} order by revision fetch first (${limit + 1}) rows with ties`;

const readChangedActs = (sql: Sql, { conversationId, after, limit }: AskedChanges) => sql<Entered<ActRow>[]>`
  select ${actColumns(sql)}, revision::float8 as at from conversation_acts
  where conversation_id = ${conversationId} and revision > ${after} order by revision fetch first (${limit + 1}) rows with ties`;
