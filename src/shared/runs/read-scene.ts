import { sendingChannel } from '../conversations/queries.ts';
import type { ContactView, Situation } from '../flows/blocks/block.ts';
import type { FieldDefinition, Json } from '../custom-fields/values.ts';
import type { EventName } from '../events/names.ts';
import { readId, showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { unreachable } from '../unreachable.ts';
import type { FlowVersion, ReadVersion, VersionKey } from './versions.ts';
import type { Arrived, RunState, Scene, StepState } from './scene.ts';

/** Of the run as its row has it, what only the writers need. */
type RunRow = {
  accountId: string;
  contactId: string;
  flowId: string;
  version: number;
  parentRunId: string | null;
  channelId: string | null;
  depth: number;
};

/** A scene, read under the lock of its contact, and the rows that it came from. */
export type ReadScene = Omit<Scene, 'due'> & { row: RunRow } & Pick<FlowVersion, 'callOf'>;

/** Which workflow of a run asks: an activity of an earlier one must not touch the run any more. */
export type Fence = { runId: string; resumes: number };

/**
 * The most of each kind of what has arrived that a look reads: the first answers, for each is taken or passed over, and the latest events, for
 * those that do not fit stay.
 */
const arrivedAtMost = 200;

/**
 * Locks a run's contact and then the run, and reads everything that a look at it needs. Undefined when the run has ended, or when a later
 * workflow carries it.
 */
export const readScene = async (
  sql: Sql,
  { runId, resumes }: Fence,
  readVersion: ReadVersion,
): Promise<ReadScene | undefined> => {
  const [key] = await sql<VersionKey[]>`
    select r.flow_id, r.version from contacts c join runs r on r.contact_id = c.id where r.id = ${runId}
    for no key update of c`;
  if (!key) return undefined;
  const version = await readVersion(sql, key);
  // A statement of its own: one that waits for a lock still sees the state from before its wait.
  const [row] = await sql<Row[]>`
    select r.id, r.root_run_id, r.status, r.waiting, r.step, r.block_id, r.waiting_since, r.wake_at, r.left_ms::float8,
      r.last_seq::float8, r.after_seq::float8, r.event_seq::float8, r.steps_since_wait, r.visits, r.reason, r.account_id,
      r.contact_id, r.flow_id, r.version, r.parent_run_id, r.depth, r.params, r.event, r.reply, r.started_at,
      ch.id as channel_id, clock_timestamp() as now,
      s.number as step_number, s.visit as step_visit, s.status as step_status, s.port as step_port, s.reason as step_reason,
      s.tries as step_tries, s.entered_at as step_entered_at, s.left_at as step_left_at,
      c.first_name, c.last_name, c.email, c.phone, c.language, c.time_zone, c.external_id, c.custom_fields,
      c.status as contact_status, c.foreground_run_id, coalesce(ch.type, c.last_channel, 'api') as channel,
      case when c.automation_paused_until > clock_timestamp() then c.automation_paused_until end as silent_until,
      h.id is not null as is_handed_over, h.run_id as handover_run_id, (h.conversation_id is null or exists (
        select from conversations v where v.id = h.conversation_id and v.channel_id = ch.id)) as handover_is_here,
      a.name as account_name, a.time_zone as account_time_zone, f.name as flow_name, f.status as flow_status,
      array(select t.name from contact_tags ct join tags t on t.id = ct.tag_id where ct.contact_id = c.id) as tags,
      (select coalesce(json_agg(d), '[]') from (
        select key, name, type, options, default_value as default from custom_fields
        where account_id = r.account_id and key = any(${[...version.fieldKeys]})) d) as fields,
      (select coalesce(json_agg(i order by i.seq), '[]') from (
        select seq, kind, data, extract(epoch from created_at) * 1000 as at from (
          (select * from run_inputs
            where run_id = r.root_run_id and seq > least(r.after_seq, r.last_seq) and kind = 'reply' and taken_by_step is null
            order by seq limit ${arrivedAtMost})
          union all
          (select * from run_inputs
            where run_id = r.id and seq > r.event_seq and kind = 'event' and taken_by_step is null
            order by seq desc limit ${arrivedAtMost})
          union all
          (select * from run_inputs
            where run_id = r.id and kind in ('child_ended', 'resolved') and taken_by_step is null
            order by seq desc limit ${arrivedAtMost})) inputs) i) as arrived
    from runs r
    join contacts c on c.id = r.contact_id
    join accounts a on a.id = r.account_id
    join flows f on f.id = r.flow_id
    left join run_steps s on s.run_id = r.id and s.number = r.step
    left join channels ch on ch.id = coalesce(r.channel_id, ${sendingChannel(sql)})
    left join handovers h on h.id = c.handover_id
    where r.id = ${runId} and r.resumes = ${resumes} and r.ended_at is null
    for no key update of r`;
  return row && sceneOf(row, version, await readTargets(sql, row.contactId, version.flowIds));
};

type Row = RunState &
  RunRow &
  Prefixed<Omit<StepState, 'blockId'>> &
  Omit<ContactView, 'id' | 'fields'> & {
    customFields: ContactView['fields'];
    contactStatus: 'active' | 'unsubscribed' | 'blocked';
    foregroundRunId: string | null;
    silentUntil: Date | null;
    isHandedOver: boolean;
    handoverRunId: string | null;
    handoverIsHere: boolean;
    params: Json;
    event: Json;
    reply: { text: string } | null;
    startedAt: Date;
    now: Date;
    accountName: string;
    accountTimeZone: string;
    flowName: string;
    flowStatus: string;
    fields: FieldDefinition[];
    arrived: ArrivedRow[];
  };

type Prefixed<Of> = { [Name in keyof Of & string as `step${Capitalize<Name>}`]: Of[Name] | null };

type ArrivedRow = { seq: number; at: number } & (
  | { kind: 'reply'; data: { text: string } }
  | { kind: 'event'; data: { name: EventName; data: Json } }
  | { kind: 'child_ended'; data: { status: 'completed' | 'failed' | 'cancelled' } }
  | { kind: 'resolved'; data: { status: 'resolved' | 'expired' } }
);

const sceneOf = (row: Row, version: FlowVersion, targets: Scene['targets']): ReadScene => ({
  run: {
    id: row.id,
    rootRunId: row.rootRunId,
    status: row.status,
    waiting: row.waiting,
    step: row.step,
    blockId: row.blockId,
    waitingSince: row.waitingSince,
    wakeAt: row.wakeAt,
    leftMs: row.leftMs,
    lastSeq: row.lastSeq,
    afterSeq: row.afterSeq,
    eventSeq: row.eventSeq,
    stepsSinceWait: row.stepsSinceWait,
    visits: row.visits,
    reason: row.reason,
  },
  step: stepOf(row),
  plan: version.plan,
  situation: situationOf(row),
  arrived: row.arrived.map(arrivedOf),
  flowIsPaused: row.flowStatus === 'paused',
  silence: row.silentUntil && { until: row.silentUntil },
  handover: row.isHandedOver
    ? { endsByClosing: row.handoverIsHere, endsByExpiring: row.handoverRunId === row.id }
    : null,
  unsendable: row.contactStatus === 'active' ? (row.channelId === null ? 'no_channel' : null) : row.contactStatus,
  foreground: row.foregroundRunId,
  targets,
  callOf: version.callOf,
  row: {
    accountId: row.accountId,
    contactId: row.contactId,
    flowId: row.flowId,
    version: row.version,
    parentRunId: row.parentRunId,
    channelId: row.channelId,
    depth: row.depth,
  },
});

const stepOf = (row: Row): StepState | undefined => {
  const { stepNumber, stepVisit, stepStatus, stepTries, stepEnteredAt } = row;
  if (stepNumber === null || stepVisit === null || stepStatus === null || stepTries === null || stepEnteredAt === null)
    return undefined;
  return {
    number: stepNumber,
    blockId: row.blockId ?? '',
    visit: stepVisit,
    status: stepStatus,
    port: row.stepPort,
    reason: row.stepReason,
    tries: stepTries,
    enteredAt: stepEnteredAt,
    leftAt: row.stepLeftAt,
  };
};

const situationOf = (row: Row): Situation => ({
  now: row.now,
  account: { name: row.accountName, timeZone: row.accountTimeZone },
  contact: {
    id: showId('contact', row.contactId),
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    phone: row.phone,
    language: row.language,
    timeZone: row.timeZone,
    externalId: row.externalId,
    channel: row.channel,
    fields: row.customFields,
    tags: row.tags,
  },
  flow: { id: showId('flow', row.flowId), name: row.flowName },
  run: {
    id: showId('run', row.id),
    startedAt: row.startedAt,
    params: row.params,
    reply: row.reply,
    event: row.event,
  },
  step: {
    number: row.step,
    visit: row.stepVisit ?? 0,
    tries: row.stepTries ?? 0,
    enteredAt: row.stepEnteredAt ?? row.now,
  },
  fields: new Map(row.fields.map((field) => [field.key, field])),
});

const arrivedOf = (row: ArrivedRow): Arrived => {
  const { seq } = row;
  switch (row.kind) {
    case 'reply':
      return { seq, input: { type: 'reply', text: row.data.text, seq } };
    case 'event':
      return { seq, input: { type: 'event', name: row.data.name, data: row.data.data, at: new Date(row.at) } };
    case 'child_ended':
      return { seq, input: { type: 'child_ended', status: row.data.status } };
    case 'resolved':
      return { seq, input: { type: 'handover_ended', status: row.data.status } };
    default:
      return unreachable(row);
  }
};

/** Keeps flows as they are until the end of the transaction; ids as they are shown outside. */
export const lockFlows = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  await sql`select from flows where id = any(${ids.map((id) => readId('flow', id))}::uuid[]) order by id for share`;
};

/** Why a flow cannot be started for this contact; null when it can. */
export const readTargets = async (
  sql: Sql,
  contactId: string,
  flowIds: readonly string[],
): Promise<Scene['targets']> => {
  if (flowIds.length === 0) return new Map();
  const rows = await sql<{ id: string; status: string; isIn: boolean }[]>`
    select f.id, f.status, exists (
        select from runs r where r.contact_id = ${contactId} and r.flow_id = f.id and r.ended_at is null and r.one_active
      ) as is_in
    from flows f where f.id = any(${[...flowIds]}::uuid[])`;
  return new Map(
    rows.map(({ id, status, isIn }) => [
      showId('flow', id),
      status !== 'live' ? `flow_${status}` : isIn ? 'already_in_flow' : null,
    ]),
  );
};
