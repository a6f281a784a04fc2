import type { Sql } from '../../../src/shared/platform/db/connect.ts';

/** Time passes: the sweep's look at a run is due. */
export const makeRunOverdue = async (sql: Sql, id: string): Promise<void> => {
  await sql`update runs set sweep_at = now() where id = ${id}`;
};

/** The sweep has found that a run's workflow is lost, which `countResume` counts, and has started no other yet. */
export const loseWorkflow = async (sql: Sql, id: string): Promise<void> => {
  await sql`update runs set resumes = resumes + 1 where id = ${id} and ended_at is null`;
};

/** What a contact has written to a run that nobody has looked at for a while: hundreds of messages would take seconds. */
export const insertReplies = async (sql: Sql, { runId, count }: { runId: string; count: number }): Promise<void> => {
  await sql`
    insert into run_inputs (run_id, seq, kind, ref_id, data)
    select ${runId}, nextval('messages_seq'), 'reply', uuidv7(), '{"text": "more"}' from generate_series(1, ${count})`;
};

/** The run stands so deep in a chain of causes, which takes as many flows to make. */
export const setDepth = async (sql: Sql, id: string, depth: number): Promise<void> => {
  await sql`update runs set depth = ${depth} where id = ${id}`;
};
