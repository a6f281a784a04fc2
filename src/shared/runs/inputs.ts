import type { Json } from '../custom-fields/values.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { runWork } from './work.ts';

/** Something that comes for a run; ids are UUIDs. */
type NewInput = { runId: string; kind: 'event' | 'child_ended' | 'resolved'; refId: string; data: Json };

/** Puts an input before a run and wakes it. The same one again changes nothing. The caller has locked the contact. */
export const putInput = async (tx: Transaction, input: NewInput): Promise<void> => {
  await insertInput(tx.sql, input);
  await tx.wake(runWork, [input.runId]);
};

/** Puts an input before a run that the caller has go on. The same one again changes nothing. */
export const insertInput = async (sql: Sql, { runId, kind, refId, data }: NewInput): Promise<void> => {
  await sql`
    insert into run_inputs (run_id, seq, kind, ref_id, data)
    values (${runId}, nextval('messages_seq'), ${kind}, ${refId}, ${sql.json(data)})
    on conflict (run_id, kind, ref_id) do nothing`;
};
