import { changed } from '../../facts/changed.ts';
import type { Writer } from '../../facts/tell.ts';

/** An agent has seen the messages of a conversation that are there; the id is a UUID. */
export const markRead = async (
  { sql, tell }: Writer,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> => {
  const { count } = await sql`
    update conversations v set read_to = latest.id
    from (select id from messages where conversation_id = ${id} order by id desc limit 1) as latest
    where v.id = ${id} and v.account_id = ${accountId} and v.read_to is distinct from latest.id`;
  if (count > 0) await tell(changed(accountId, 'conversations'));
};
