import type { Writer } from '../../facts/tell.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { changed } from '../../facts/changed.ts';
import { nextRevision } from '../conversations/changes/revisions.ts';
import { findLatest, type ThreadOf } from './thread.ts';

/** The most messages that one request marks. */
const atOnce = 200;

/** What was seen: up to which revision, and of which conversation, a UUID; without it of the latest. */
type Seen = { revision: number; conversationId?: string | undefined };

/** The visitor has seen the messages of a conversation up to a revision of it. Seeing them again changes nothing. */
export const markReadByVisitor = async (
  tx: Writer,
  of: ThreadOf,
  { revision, conversationId }: Seen,
): Promise<void> => {
  const { sql, tell } = tx;
  const read = conversationId === undefined ? await findLatest(sql, of) : await findOwn(sql, of, conversationId);
  if (!read) return;
  const unread = await sql<{ id: string }[]>`
    select o.message_id as id from outbound_messages o join messages m on m.id = o.message_id
    where m.conversation_id = ${read.id} and o.read_at is null and o.status in ('sent', 'unknown')
      and greatest(m.revision, o.revision) <= ${revision} order by m.id desc limit ${atOnce}`;
  if (unread.length === 0) return;
  const at = await nextRevision(tx, { accountId: of.accountId, conversationId: read.id });
  await sql`
    update outbound_messages set read_at = clock_timestamp(), revision = ${at}
    where message_id = any(${unread.map(({ id }) => id)}::uuid[]) and read_at is null`;
  await tell(changed(of.accountId, 'messages', 'conversations'));
};

const findOwn = async (
  sql: Sql,
  { accountId, channelId, contactId }: ThreadOf,
  id: string,
): Promise<{ id: string } | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    select id from conversations
    where id = ${id} and contact_id = ${contactId} and channel_id = ${channelId} and account_id = ${accountId}`;
  return row;
};
