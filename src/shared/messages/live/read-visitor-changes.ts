import type { Sql } from '../../platform/db/connect.ts';
import { readChangedMessages, type AskedChanges, type Entered } from '../conversations/changes/read-changes.ts';
import { lateness } from '../conversations/latest.ts';
import type { MessageRow } from '../schema.ts';

/** What a visitor may see of a conversation; ids are UUIDs. */
export type VisitorConversation = {
  id: string;
  contactId: string;
  channelId: string;
  status: 'open' | 'closed';
  assignedTo: string | null;
  /** Whether it is the contact's latest one on the channel. */
  isLatest: boolean;
  revision: number;
};

/** As `Changes`, without what is for agents alone. */
export type VisitorChanges = {
  conversation: VisitorConversation;
  messages: MessageRow[];
  revision: number;
  hasMore: boolean;
};

/** Reads what has changed in conversations for their visitors. Undefined for one that its account does not have. */
export const readVisitorChanges = async (
  sql: Sql,
  asked: readonly AskedChanges[],
): Promise<(one: AskedChanges) => VisitorChanges | undefined> => {
  const conversations = await readConversations(sql, asked);
  const rows = await readChangedMessages(sql, asked);
  const byConversation = Map.groupBy(rows, ({ conversationId }) => conversationId);
  return (one) => {
    const conversation = conversations.get(one.conversationId);
    if (conversation?.accountId !== one.accountId) return undefined;
    return changesOf(conversation, byConversation.get(one.conversationId) ?? [], one);
  };
};

const changesOf = (
  conversation: VisitorConversation,
  rows: readonly Entered<MessageRow>[],
  { after, limit }: AskedChanges,
): VisitorChanges => {
  const hasMore = rows.length > limit;
  const revision = hasMore ? (rows[limit - 1]?.at ?? after) : conversation.revision;
  return { conversation, messages: rows.filter(({ at }) => !hasMore || at <= revision), revision, hasMore };
};

const readConversations = async (sql: Sql, asked: readonly AskedChanges[]) => {
  const ids = asked.map(({ conversationId }) => conversationId);
  const rows = await sql<(VisitorConversation & { accountId: string })[]>`
    select v.id, v.account_id, v.contact_id, v.channel_id, v.status, v.assigned_to, v.revision::float8 as revision, not exists (
      select from conversations later where later.contact_id = v.contact_id and later.channel_id = v.channel_id
        and ${lateness(sql, 'later')} > ${lateness(sql, 'v')}) as is_latest
    from conversations v where v.id = any(${ids}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
};

/** The present revisions of conversations that exist, by their UUIDs. */
export const readRevisions = async (sql: Sql, ids: readonly string[]): Promise<Map<string, number>> => {
  const rows = await sql<{ id: string; revision: number }[]>`
    select id, revision::float8 as revision from conversations where id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, revision }) => [id, revision]));
};
