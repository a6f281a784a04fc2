import { readId } from '../../../src/shared/ids.ts';
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

/** As many runs of a flow as a planner takes for many, most of them completed, for the contacts of its account: by the API they would take long. */
export const haveManyRuns = async (sql: Sql, flowId: string, count: number): Promise<void> => {
  await sql`
    insert into runs (account_id, contact_id, flow_id, version, root_run_id, one_active, status, started_at, ended_at)
    select f.account_id, c.id, f.id, f.version, uuidv7(), false, case when number % 1000 = 0 then 'failed' else 'completed' end, now(), now()
    from flows f, lateral (select id from contacts where account_id = f.account_id limit 10) as c, generate_series(1, ${count / 10}) as number
    where f.id = ${flowId}`;
  await sql`analyze runs`;
};

/** A run that has taken many steps: one by one they would take long. */
export const takeManySteps = async (sql: Sql, runId: string, count: number): Promise<void> => {
  await sql`
    insert into run_steps (run_id, number, block_id, visit, status)
    select ${runId}, 1000 + number, 'hello', 1, 'done' from generate_series(1, ${count}) as number`;
};

/** A run that has asked so often a year ago, and has taken as many answers, each in a step of its own: one by one they would take long. */
export const exchangeManyMessages = async (sql: Sql, runId: string, count: number): Promise<void> => {
  await sql`
    with v as (
      select v.id as conversation_id, r.account_id, r.contact_id, v.channel_id
      from runs r join conversations v on v.contact_id = r.contact_id where r.id = ${runId} limit 1),
    made as (
      insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, revision)
      select uuidv7(interval '-1 year'), account_id, conversation_id, contact_id, channel_id, d.direction, 'hello', 0
      from v, generate_series(1, ${count}) as number, (values ('outbound'), ('inbound')) as d (direction)
      returning id, seq, account_id, conversation_id, direction),
    placed as (select *, 1000 + row_number() over (partition by direction order by seq) as step from made),
    sent as (
      insert into outbound_messages (message_id, account_id, conversation_id, seq, status, run_id, run_step, position)
      select id, account_id, conversation_id, seq, 'sent', ${runId}, step, 0 from placed where direction = 'outbound')
    insert into run_inputs (run_id, seq, kind, ref_id, taken_by_run, taken_by_step)
    select ${runId}, seq, 'reply', id, ${runId}, step from placed where direction = 'inbound'`;
  await sql`update runs set root_run_id = id where id = ${runId}`;
};

/** All open runs of an account are as an ask leaves them: they wait an hour for an answer at this block. */
export const allWaitAtAsk = async (
  sql: Sql,
  { accountId, blockId }: { accountId: string; blockId: string },
): Promise<void> => {
  await sql`
    update runs set status = 'waiting', waiting = 'reply', waiting_since = now(), wake_at = now() + interval '1 hour',
      block_id = ${blockId}
    where account_id = ${accountId} and ended_at is null`;
};

/** More runs than are counted wait at a block of a flow, which nobody carries, for a contact of its account: by the API they would take long. */
export const haveManyWaiting = async (
  sql: Sql,
  { flowId, blockId, count }: { flowId: string; blockId: string | null; count: number },
): Promise<void> => {
  await sql`
    insert into runs (account_id, contact_id, flow_id, version, root_run_id, one_active, status, waiting, waiting_since, step, block_id, sweep_at)
    select f.account_id, c.id, f.id, f.version, uuidv7(), false, 'waiting', 'reply', now(), 1, ${blockId}, 'infinity'
    from flows f, lateral (select id from contacts where account_id = f.account_id limit 1) as c, generate_series(1, ${count}::int)
    where f.id = ${flowId}`;
  await sql`vacuum analyze runs`;
};

/** As many failed runs at a block of a flow, for a contact of its account: by the API they would take long. */
export const haveManyFailed = async (
  sql: Sql,
  { flowId, blockId, count }: { flowId: string; blockId: string; count: number },
): Promise<void> => {
  await sql`
    insert into runs (account_id, contact_id, flow_id, version, root_run_id, one_active, status, reason, step, block_id, ended_at)
    select f.account_id, c.id, f.id, f.version, uuidv7(), false, 'failed', 'status_500', 1, ${blockId}, now()
    from flows f, lateral (select id from contacts where account_id = f.account_id limit 1) as c, generate_series(1, ${count}::int)
    where f.id = ${flowId}`;
  await sql`vacuum analyze runs`;
};

/** One run of a flow waits at each of so many blocks, more than a version may have: those of earlier versions are told, too. */
export const haveOneWaitingAtEach = async (
  sql: Sql,
  { flowId, blocks }: { flowId: string; blocks: number },
): Promise<void> => {
  await sql`
    insert into runs (account_id, contact_id, flow_id, version, root_run_id, one_active, status, waiting, waiting_since, step, block_id, sweep_at)
    select f.account_id, c.id, f.id, f.version, uuidv7(), false, 'waiting', 'reply', now(), 1, 'block_' || number, 'infinity'
    from flows f, lateral (select id from contacts where account_id = f.account_id limit 1) as c, generate_series(1, ${blocks}::int) as number
    where f.id = ${flowId}`;
};

/** A run of a flow that began, and was over, so many days ago, for a contact of its account. */
export const aPastRun = async (sql: Sql, { flowId, daysAgo }: { flowId: string; daysAgo: number }): Promise<void> => {
  const ago = sql`make_interval(days => ${-daysAgo})`;
  await sql`
    insert into runs (id, account_id, contact_id, flow_id, version, root_run_id, one_active, status, started_at, ended_at)
    select uuidv7(${ago}), f.account_id, c.id, f.id, f.version, uuidv7(), false, 'completed', now() + ${ago}, now() + ${ago}
    from flows f, lateral (select id from contacts where account_id = f.account_id limit 1) as c where f.id = ${flowId}`;
};

/** So many runs of a flow have begun, and nobody has carried them yet, for a contact of its account: one by one they would take half a minute. */
export const haveManyBegun = async (sql: Sql, flowId: string, count: number): Promise<void> => {
  await sql`
    insert into runs (account_id, contact_id, flow_id, version, root_run_id, one_active, sweep_at)
    select f.account_id, c.id, f.id, f.version, uuidv7(), false, 'infinity'
    from flows f, lateral (select id from contacts where account_id = f.account_id limit 1) as c, generate_series(1, ${count}::int)
    where f.id = ${flowId}`;
};

/** A run has caused so many others in this hour: by the API they would take long. */
export const haveCausedMany = async (sql: Sql, runId: string, count: number): Promise<void> => {
  await sql`
    insert into run_fan_outs (origin_run_id, account_id, hour, begun)
    select id, account_id, date_trunc('hour', clock_timestamp()), ${count} from runs where id = ${runId}
    on conflict (origin_run_id) do update set hour = excluded.hour, begun = excluded.begun`;
};

/** All open runs of an account have been carried to their end: ten thousand of them, one by one, would take minutes. */
export const completeAll = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`
    update runs set status = 'completed', ended_at = clock_timestamp(), sweep_at = null
    where account_id = ${accountId} and ended_at is null`;
};

/** A process died between a request that cannot be repeated and its record, and the block had no other way. */
export const loseOutcome = async (sql: Sql, id: string): Promise<void> => {
  await sql`update runs set reason = 'outcome_unknown' where id = ${id} and status = 'failed'`;
};

/** So many seconds pass for a run, a TypeID. */
export const showTimePassed = async (sql: Sql, id: string, seconds: number): Promise<void> => {
  const before = sql`make_interval(secs => ${seconds})`;
  await sql`
    update runs set started_at = started_at - ${before}, waiting_since = waiting_since - ${before}, wake_at = wake_at - ${before}
    where id = ${readId('run', id)}`;
};
