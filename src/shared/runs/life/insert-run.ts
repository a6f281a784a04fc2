import type { Json } from '../../custom-fields/values.ts';
import type { Cause } from '../../facts/domain-event.ts';
import { RequestError } from '../../errors.ts';
import { newUuid } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { backlogBounds, backlogColumns, countBacklog } from './backlog.ts';
import { countRun } from './fan-out.ts';
import { putInput } from '../inputs.ts';
import { asItem } from '../../platform/dispatch/work.ts';
import { runColumns, runWork, startGraceSeconds, type RunWorkRow } from '../work.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransaction } from '../../facts/tell.ts';

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
export const deepestCause = 10;

type Inserted = RunWorkRow & { status: 'running' | 'failed'; startedAt: Date };

/** Why a run was not begun: the first run of its chain has caused too many, or the account has too many whose first pass is still to come. */
export type NotBegun = 'loop_guard' | 'backlog';

/**
 * Makes a run of a flow's live version, and has it go on. A run too deep in a chain of causes is recorded as failed, `loop_guard`,
 * and does nothing. Undefined when the flow is not live, or when the contact is in it and may be so only once. One run too many of a chain, or of
 * the account, is not made: that is counted for the first run of its chain. Throws `rate_limited` where the request that causes it can be sent
 * again. The caller has locked the contact.
 */
export const insertRun = async (tx: EventTransaction, run: NewRun): Promise<Inserted | NotBegun | undefined> => {
  const { sql } = tx;
  const { accountId, cause, parent } = run;
  const isTooDeep = cause.depth > deepestCause;
  let tried = await insert(sql, run, { isTooDeep });
  if (tried?.isStale) {
    await countBacklog(sql, accountId);
    if (tried.isFull) tried = await insert(sql, run, { isTooDeep, isCounted: true });
  }
  if (!tried) return undefined;
  const { isFull, isStale: _, ...made } = tried;
  const tellParent = async (refId: string) => {
    if (parent) await putInput(tx, { runId: parent.id, kind: 'child_ended', refId, data: { status: 'failed' } });
  };
  if (made.id !== null) {
    await tx.tell(changed(accountId, 'runs'));
    if (isTooDeep) await tellParent(made.id);
    else goOn(tx, run, made);
    return made;
  }
  if (mayBeRefused(run)) {
    if (isFull) throw tooMany();
    return undefined;
  }
  await tellParent(newUuid());
  return isFull ? 'backlog' : 'loop_guard';
};

/** What a run causes goes on by workflows: a chain of causes is never one transaction. */
const goOn = (tx: EventTransaction, { contactId, cause }: NewRun, made: Inserted): void => {
  if (cause.originRunId !== undefined) return tx.start(runWork, made);
  const { id, resumes, flowId, version } = made;
  tx.advance({ id, resumes, contactId, flowId, version, begun: asItem(runWork, made) });
};

const mayBeRefused = ({ cause }: NewRun): boolean => cause.originRunId === undefined && cause.isMessage !== true;

const tooMany = () =>
  new RequestError(
    'rate_limited',
    `The account has ${backlogBounds.refused.toLocaleString('en')} runs that wait to start. Try again later.`,
  );

type Tried = (Inserted | { id: null }) & { isFull: boolean; isStale: boolean };

const insert = async (
  sql: Sql,
  run: NewRun,
  { isTooDeep, isCounted = false }: { isTooDeep: boolean; isCounted?: boolean },
): Promise<Tried | undefined> => {
  const { accountId, contactId, flowId, params, event = null, channelId, parent, cause } = run;
  const { originRunId = null } = cause;
  const state = isTooDeep
    ? sql`'failed', 'loop_guard', clock_timestamp(), null::timestamptz`
    : sql`'running', null, null::timestamptz, clock_timestamp() + make_interval(secs => ${startGraceSeconds})`;
  const most = mayBeRefused(run) ? backlogBounds.refused : backlogBounds.leftOut;
  const [row] = await sql<Tried[]>`
    with entry as materialized (
      select account_id, flow_id, version, listens, one_active, is_full, is_stale and not ${isCounted} as is_stale from (
        select f.account_id, f.id as flow_id, v.version, v.listens, v.one_active, ${backlogColumns(sql, { most })}
        from flows f
        join flow_versions v on v.flow_id = f.id and v.version = f.version
        left join run_backlogs b on b.account_id = f.account_id
        where f.id = ${flowId} and f.account_id = ${accountId} and f.status = 'live' and not (v.one_active and exists (
          select from runs r where r.contact_id = ${contactId} and r.flow_id = f.id and r.ended_at is null and r.one_active))
      ) as live
    ) ${originRunId === null ? sql`` : sql`, counted as (${countRun(sql, originRunId)})`}, made as (
      insert into runs (id, account_id, contact_id, flow_id, version, root_run_id, parent_run_id, parent_step, origin_run_id, depth, params,
        event, channel_id, listens, one_active, last_seq, after_seq, event_seq, status, reason, ended_at, sweep_at)
      select fresh.id, account_id, ${contactId}, flow_id, version, coalesce(${parent?.rootRunId ?? null}::uuid, fresh.id),
        ${parent?.id ?? null}::uuid, ${parent?.step ?? null}::int, ${originRunId}::uuid, ${cause.depth}, ${sql.json(params)},
        ${event === null ? null : sql.json(event)}, ${channelId}::uuid, listens, one_active, seq, seq, seq, ${state}
      from entry, (select uuidv7() as id, nextval('messages_seq') as seq) as fresh
      where not is_full ${originRunId === null ? sql`` : sql`and not (select is_refused from counted)`}
      on conflict (contact_id, flow_id) where ended_at is null and one_active do nothing
      returning ${runColumns(sql)}, status, started_at
    )
    select made.*, is_full, is_stale from entry left join made on true`;
  return row;
};
