import type { Json } from '../custom-fields/values.ts';
import type { Cause } from '../events/events.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { putInput } from './inputs.ts';
import { runColumns, runWork, startGraceSeconds, type RunWorkRow } from './work.ts';

/** A run to be: ids are UUIDs. */
export type NewRun = {
  accountId: string;
  contactId: string;
  flowId: string;
  params: Json;
  /** What triggered it, for its templates. */
  event?: Json;
  /** Where its messages go; the contact's last channel when null. */
  channelId: string | null;
  /** The run whose start_flow block waits for it. */
  parent?: { id: string; step: number; rootRunId: string } | undefined;
  cause: Cause;
};

/** The most events and flows that may cause one another. A longer chain is one that goes round in circles. */
const deepest = 10;

type Inserted = RunWorkRow & { status: 'running' | 'failed'; startedAt: Date };

/**
 * Makes a run of a flow's live version, and asks for its workflow. A run too deep in a chain of causes is recorded as failed, `loop_guard`,
 * and does nothing. Undefined when the flow is not live, or when the contact is in it and may be so only once. The caller has locked the
 * contact.
 */
export const insertRun = async (tx: Transaction, run: NewRun): Promise<Inserted | undefined> => {
  const isTooDeep = run.cause.depth > deepest;
  const row = await insert(tx.sql, run, isTooDeep);
  if (!row) return undefined;
  if (!isTooDeep) tx.start(runWork, row);
  else if (run.parent)
    await putInput(tx, { runId: run.parent.id, kind: 'child_ended', refId: row.id, data: { status: 'failed' } });
  return row;
};

const insert = async (sql: Sql, run: NewRun, isTooDeep: boolean): Promise<Inserted | undefined> => {
  const { accountId, contactId, flowId, params, event = null, channelId, parent, cause } = run;
  const state = isTooDeep
    ? sql`'failed', 'loop_guard', clock_timestamp(), null::timestamptz`
    : sql`'running', null, null::timestamptz, clock_timestamp() + make_interval(secs => ${startGraceSeconds})`;
  const [row] = await sql<Inserted[]>`
    insert into runs (id, account_id, contact_id, flow_id, version, root_run_id, parent_run_id, parent_step, depth, params, event,
      channel_id, listens, one_active, last_seq, after_seq, event_seq, status, reason, ended_at, sweep_at)
    select fresh.id, f.account_id, ${contactId}, f.id, v.version, coalesce(${parent?.rootRunId ?? null}::uuid, fresh.id),
      ${parent?.id ?? null}::uuid, ${parent?.step ?? null}::int, ${cause.depth}, ${sql.json(params)},
      ${event === null ? null : sql.json(event)}, ${channelId}::uuid, v.listens, v.one_active, seq, seq, seq, ${state}
    from flows f
    join flow_versions v on v.flow_id = f.id and v.version = f.version,
      (select uuidv7() as id, nextval('messages_seq') as seq) as fresh
    where f.id = ${flowId} and f.account_id = ${accountId} and f.status = 'live'
    on conflict (contact_id, flow_id) where ended_at is null and one_active do nothing
    returning ${runColumns(sql)}, status, started_at`;
  return row;
};
