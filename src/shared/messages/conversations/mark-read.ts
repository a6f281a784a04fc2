import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { Writer } from '../../facts/tell.ts';

/** An agent has seen the messages of a conversation that are there; the id is a UUID. */
export const markRead = async (
  { sql, tell }: Writer,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> => {
  const [read] = await sql<{ revision: number }[]>`
    update conversations v set read_to = latest.id, revision = v.revision + 1
    from (select id from messages where conversation_id = ${id} order by id desc limit 1) as latest
    where v.id = ${id} and v.account_id = ${accountId} and v.read_to is distinct from latest.id
    returning v.revision::float8 as revision`;
  if (!read) return;
  await tell(changed(accountId, 'conversations'));
  await tell(talked(accountId, id, read.revision));
};
