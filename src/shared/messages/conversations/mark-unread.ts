import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { Writer } from '../../facts/tell.ts';
import { unreadAtMost } from './schema.ts';

/** The last message of the contact counts as unread again, if it is among the latest that count; the id is a UUID. */
export const markUnread = async (
  { sql, tell }: Writer,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> => {
  const [unread] = await sql<{ revision: number }[]>`
    with last as materialized (
      select id from (
        select id, direction from messages where conversation_id = ${id} order by id desc limit ${unreadAtMost}) as latest
      where direction = 'inbound' order by id desc limit 1
    ), before as materialized (
      select (select id from messages where conversation_id = ${id} and id < last.id order by id desc limit 1) as read_to from last
    )
    update conversations v set read_to = before.read_to, revision = v.revision + 1 from before, last
    where v.id = ${id} and v.account_id = ${accountId} and v.read_to >= last.id
    returning v.revision::float8 as revision`;
  if (!unread) return;
  await tell(changed(accountId, 'conversations'));
  await tell(talked(accountId, id, unread.revision));
};
