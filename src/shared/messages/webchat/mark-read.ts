import type { Writer } from '../../facts/tell.ts';
import { changed } from '../../facts/changed.ts';
import { nextRevision } from '../conversations/changes/revisions.ts';
import { findLatest, type ThreadOf } from './thread.ts';

/** The most messages that one request marks. */
const atOnce = 200;

/** The visitor has seen the messages of the latest conversation up to a revision of it. Seeing them again changes nothing. */
export const markReadByVisitor = async (tx: Writer, of: ThreadOf, revision: number): Promise<void> => {
  const { sql, tell } = tx;
  const latest = await findLatest(sql, of);
  if (!latest) return;
  const unread = await sql<{ id: string }[]>`
    select o.message_id as id from outbound_messages o join messages m on m.id = o.message_id
    where m.conversation_id = ${latest.id} and o.read_at is null and o.status in ('sent', 'unknown')
      and greatest(m.revision, o.revision) <= ${revision} order by m.id desc limit ${atOnce}`;
  if (unread.length === 0) return;
  const at = await nextRevision(tx, { accountId: of.accountId, conversationId: latest.id });
  await sql`
    update outbound_messages set read_at = clock_timestamp(), revision = ${at}
    where message_id = any(${unread.map(({ id }) => id)}::uuid[]) and read_at is null`;
  await tell(changed(of.accountId, 'messages', 'conversations'));
};
