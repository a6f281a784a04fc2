import type { EventTransaction } from '../../facts/tell.ts';
import type { ReplyAttachment } from '../../flows/blocks/context.ts';
import type { Transaction } from '../../platform/dispatch/transact.ts';
import { runWork } from '../work.ts';

/** A message of the contact for the family of runs that has the conversation; ids are UUIDs. */
type Reply = {
  contactId: string;
  rootRunId: string;
  messageId: string;
  seq: number;
  text: string;
  attachments?: readonly ReplyAttachment[] | undefined;
};

/**
 * Gives a message to the family of runs that has the conversation. Answers the run that is the furthest from the first one, and whether it asks
 * now: then it goes on, and else the family's open runs are woken. Undefined when none of them is open. The caller has locked the contact.
 */
export const giveReply = async (
  tx: EventTransaction,
  { contactId, rootRunId, messageId, seq, text, attachments }: Reply,
): Promise<{ runId: string; asks: boolean } | undefined> => {
  const family = await readFamily(tx, rootRunId);
  const last = family.at(-1);
  if (!last) return undefined;
  await tx.sql`
    insert into run_inputs (run_id, seq, kind, ref_id, data)
    values (${rootRunId}, ${seq}, 'reply', ${messageId}, ${tx.sql.json({ text, ...(attachments && { attachments: [...attachments] }) })})
    on conflict (run_id, kind, ref_id) do nothing`;
  const asks = last.waiting === 'reply';
  if (asks) tx.advance({ ...last, contactId });
  const others = asks ? family.slice(0, -1) : family;
  await tx.wake(
    runWork,
    others.map(({ id }) => id),
  );
  return { runId: last.id, asks };
};

/** The open runs of a family, parents first. */
export const listFamily = async (tx: Transaction, rootRunId: string): Promise<string[]> =>
  (await readFamily(tx, rootRunId)).map(({ id }) => id);

const readFamily = ({ sql }: Transaction, rootRunId: string) => sql<
  { id: string; resumes: number; flowId: string; version: number; waiting: string | null }[]
>`
    select r.id, r.resumes, r.flow_id, r.version, r.waiting from runs root join runs r on r.contact_id = root.contact_id and r.root_run_id = root.id and r.ended_at is null
    where root.id = ${rootRunId} order by r.id`;
