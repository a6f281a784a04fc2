import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { Writer } from '../../facts/tell.ts';

/** A conversation, a UUID, and the revision up to which its messages were shown; all that are there without one. */
type Seen = { accountId: string; id: string; seen?: number | undefined };

/** An agent has seen messages of a conversation. What was read before stays read. */
export const markRead = async ({ sql, tell }: Writer, { accountId, id, seen }: Seen): Promise<void> => {
  const wasShown = seen === undefined ? sql`` : sql`and coalesce(revision, 0) <= ${seen}`;
  const [read] = await sql<{ revision: number }[]>`
    update conversations v set read_to = latest.id, revision = v.revision + 1
    from (select id from messages where conversation_id = ${id} ${wasShown} order by id desc limit 1) as latest
    where v.id = ${id} and v.account_id = ${accountId} and (v.read_to is null or v.read_to < latest.id)
    returning v.revision::float8 as revision`;
  if (!read) return;
  await tell(changed(accountId, 'conversations'));
  await tell(talked(accountId, id, read.revision));
};
