import { readId } from '../../ids.ts';
import { sendingChannel } from '../../contacts/sending-channel.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { RunFlow } from '../types.ts';
import { readTargets } from './flow-targets.ts';
import { snapshotOf, type ReadSnapshot, type SnapshotRow } from './snapshot-row.ts';
import type { FlowVersion, ReadVersion, VersionKey } from './versions.ts';

/** A run and the workflow that carries it: activities of an earlier one must not touch the run any more. */
export type RunKey = { runId: string; resumes: number };

/** The same as a workflow names it; `version` is undefined for one that began before 0.4.0. */
export type CarriedRun = RunKey & { version?: VersionKey | undefined };

/** The run that a workflow carries. */
export const carriedRun = ({ runId, resumes, flowId, version }: RunFlow): CarriedRun => ({
  runId: readId('run', runId),
  resumes,
  ...(flowId !== undefined && version !== undefined && { version: { flowId: readId('flow', flowId), version } }),
});

/**
 * The most inputs of each kind that a pass reads: the first answers, because each is taken or passed over, and the latest events, because those
 * that do not fit stay.
 */
const inputsAtMost = 200;

/**
 * Locks a run's contact and then the run, and reads everything that a pass over it needs. Undefined when the run has ended, or when a later
 * workflow carries it. Whoever calls it may send other statements right after it, which then see what the last holder of the lock has left.
 */
export const readSnapshot = async (
  sql: Sql,
  { runId, resumes, version }: CarriedRun,
  readVersion: ReadVersion,
): Promise<ReadSnapshot | undefined> => {
  const key = { runId, resumes };
  // A statement of its own: one that waits for a lock still sees the state from before its wait. It is sent before all others.
  const locking = sql<VersionKey[]>`
    select r.flow_id, r.version from contacts c join runs r on r.contact_id = c.id where r.id = ${runId}
    for no key update of c`.execute();
  if (version) return (await Promise.all([readUnderLock(sql, { ...key, ...version }, readVersion), locking]))[0];
  const [found] = await locking;
  return found && readUnderLock(sql, { ...key, ...found }, readVersion);
};

/** The same for who has locked the contact, and knows the version. */
export const readUnderLock = async (
  sql: Sql,
  { runId, resumes, ...key }: RunKey & VersionKey,
  readVersion: ReadVersion,
): Promise<ReadSnapshot | undefined> => {
  const version = await readVersion(sql, key);
  const [row] = await sql<SnapshotRow[]>`
    ${selectRun(sql, version)} where r.id = ${runId} and r.resumes = ${resumes} and r.ended_at is null
    for no key update of r`;
  return row && snapshotOf(row, version, await readTargets(sql, row.contactId, version.flowIds));
};

/** A failed run as it would be on a version of its flow, without locks: to look at, and not to write. Undefined when the account has no such run. */
export const peekSnapshot = async (
  sql: Sql,
  { accountId, runId, version: { flowId, version } }: { accountId: string; runId: string; version: VersionKey },
  readVersion: ReadVersion,
): Promise<ReadSnapshot | undefined> => {
  const peeked = await readVersion(sql, { flowId, version });
  const [row] = await sql<SnapshotRow[]>`
    ${selectRun(sql, peeked)} where r.id = ${runId} and r.account_id = ${accountId} and r.flow_id = ${flowId} and r.status = 'failed'`;
  return row && snapshotOf(row, peeked, new Map());
};

/** SQL: a run with all that a pass over it reads, by this version. */
const selectRun = (sql: Sql, version: FlowVersion) => sql`
    select r.id, r.root_run_id, r.status, r.waiting, r.step, r.block_id, r.waiting_since, r.wake_at, r.left_ms::float8,
      r.last_seq::float8, r.after_seq::float8, r.event_seq::float8, r.steps_since_wait, r.visits, r.reason, r.account_id,
      r.contact_id, r.flow_id, r.version, r.parent_run_id, r.depth, r.params, r.event, r.reply, r.started_at,
      coalesce(r.origin_run_id, r.id) as origin_run_id,
      ch.id as channel_id, clock_timestamp() as now,
      s.number as step_number, s.visit as step_visit, s.status as step_status, s.port as step_port, s.reason as step_reason,
      s.tries as step_tries, s.entered_at as step_entered_at, s.left_at as step_left_at,
      c.first_name, c.last_name, c.email, c.phone, c.language, c.time_zone, c.external_id, c.custom_fields,
      c.status as contact_status, c.foreground_run_id, coalesce(ch.type, c.last_channel, 'api') as channel,
      case when c.automation_paused_until > clock_timestamp() then c.automation_paused_until end as silent_until,
      h.id is not null as is_handed_over, h.run_id as handover_run_id, (h.conversation_id is null or exists (
        select from conversations v where v.id = h.conversation_id and v.channel_id = ch.id)) as handover_is_here,
      a.name as account_name, a.time_zone as account_time_zone,
      a.default_country as account_default_country, f.name as flow_name, f.status as flow_status,
      array(select t.name from contact_tags ct join tags t on t.id = ct.tag_id where ct.contact_id = c.id) as tags,
      (select coalesce(json_agg(d), '[]') from (
        select key, name, type, options, default_value as default from custom_fields
        where account_id = r.account_id and key = any(${[...version.fieldKeys]})) d) as fields,
      (select coalesce(json_agg(i order by i.seq), '[]') from (
        select seq, kind, data, extract(epoch from created_at) * 1000 as at from (
          (select * from run_inputs
            where run_id = r.root_run_id and seq > least(r.after_seq, r.last_seq) and kind = 'reply' and taken_by_step is null
            order by seq limit ${inputsAtMost})
          union all
          (select * from run_inputs
            where run_id = r.id and seq > r.event_seq and kind = 'event' and taken_by_step is null
            order by seq desc limit ${inputsAtMost})
          union all
          (select * from run_inputs
            where run_id = r.id and kind in ('child_ended', 'resolved') and taken_by_step is null
            order by seq desc limit ${inputsAtMost})) stored) i) as inputs
    from runs r
    join contacts c on c.id = r.contact_id
    join accounts a on a.id = r.account_id
    join flows f on f.id = r.flow_id
    left join run_steps s on s.run_id = r.id and s.number = r.step
    left join channels ch on ch.id = coalesce(r.channel_id, ${sendingChannel(sql)}) and ch.deleted_at is null
    left join handovers h on h.id = c.handover_id`;
