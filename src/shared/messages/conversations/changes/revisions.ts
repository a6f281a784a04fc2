import { talked } from '../../../facts/talked.ts';
import type { Writer } from '../../../facts/tell.ts';
import { found } from '../../../errors.ts';
import { lateness } from '../latest.ts';

/** A conversation of the account; ids are UUIDs. */
export type Which = { accountId: string; conversationId: string };

/**
 * Takes the next revision of a conversation, whose row is locked until the transaction ends: revisions are committed in their order. What is
 * written at it has it in its column `revision`. Throws `not_found`.
 */
export const nextRevision = async ({ sql, tell }: Writer, { accountId, conversationId }: Which): Promise<number> => {
  const [taken] = await sql<{ revision: number }[]>`
    update conversations set revision = revision + 1 where id = ${conversationId} and account_id = ${accountId}
    returning revision::float8 as revision`;
  const { revision } = found('conversation', taken);
  await tell(talked(accountId, conversationId, revision));
  return revision;
};

/**
 * Changes the conversation that was the latest before its transaction has opened this one, new or again, of the same contact on the same channel:
 * whoever still shows that one learns that it is so no more. The contact is locked.
 */
export const tellOpened = async ({ sql, tell }: Writer, { accountId, conversationId }: Which): Promise<void> => {
  const [before] = await sql<{ id: string; revision: number }[]>`
    update conversations set revision = revision + 1
    where id = (
      select v.id from conversations v join conversations opened on opened.id = ${conversationId}
      where v.contact_id = opened.contact_id and v.channel_id = opened.channel_id and v.id <> opened.id
      order by ${lateness(sql, 'v')} desc limit 1)
    returning id, revision::float8 as revision`;
  if (before) await tell(talked(accountId, before.id, before.revision));
};
