import type { Transaction } from '../../platform/dispatch/transact.ts';
import { runWork } from '../work.ts';

/** A message of the contact for the family of runs that has the conversation; ids are UUIDs. */
type Reply = { rootRunId: string; messageId: string; seq: number; text: string };

/**
 * Gives a message to the family of runs that has the conversation, and wakes its open runs. Answers the run that is the furthest from the
 * first one, and whether it asks now. Undefined when none of them is open. The caller has locked the contact.
 */
export const giveReply = async (
  tx: Transaction,
  { rootRunId, messageId, seq, text }: Reply,
): Promise<{ runId: string; asks: boolean } | undefined> => {
  const family = await readFamily(tx, rootRunId);
  const last = family.at(-1);
  if (!last) return undefined;
  await tx.sql`
    insert into run_inputs (run_id, seq, kind, ref_id, data)
    values (${rootRunId}, ${seq}, 'reply', ${messageId}, ${tx.sql.json({ text })})
    on conflict (run_id, kind, ref_id) do nothing`;
  await tx.wake(
    runWork,
    family.map(({ id }) => id),
  );
  return { runId: last.id, asks: last.waiting === 'reply' };
};

/** The open runs of a family, parents first. */
export const listFamily = async (tx: Transaction, rootRunId: string): Promise<string[]> =>
  (await readFamily(tx, rootRunId)).map(({ id }) => id);

const readFamily = ({ sql }: Transaction, rootRunId: string) => sql<{ id: string; waiting: string | null }[]>`
    select r.id, r.waiting from runs root join runs r on r.contact_id = root.contact_id and r.root_run_id = root.id and r.ended_at is null
    where root.id = ${rootRunId} order by r.id`;
