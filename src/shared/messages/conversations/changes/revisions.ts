import { talked } from '../../../facts/talked.ts';
import type { Writer } from '../../../facts/tell.ts';
import { found } from '../../../errors.ts';

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
