import { among, inRangeOf } from '../platform/db/among.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import type { Variant } from '../facts/names.ts';
import { unmetPrecondition, type UnmetPrecondition } from '../webhooks/preconditions.ts';
import { sealedSecrets, type SealedSecrets } from '../webhooks/signing-secrets.ts';
import { delayAfterAttempt, retryGraceSeconds } from './ladder.ts';
import { dueInMs, type RoundEnd } from './rounds.ts';
import type { AttemptKey, AttemptKind, AttemptOutcome, DeliveryStatus } from './types.ts';

/** An attempt to make, read in one statement. `startedAt` is by the database's clock. */
export type DueAttempt = SealedSecrets & {
  /** The id of the delivery. */
  id: string;
  accountId: string;
  webhookId: string;
  variant: Variant;
  isTest: boolean;
  body: Uint8Array;
  status: DeliveryStatus;
  inProgress: boolean;
  /** Attempts of the ladder in the latest round. */
  attemptsMade: number;
  /** The time until the next attempt, in ms; null without one. */
  dueInMs: number | null;
  url: string;
  unmet: UnmetPrecondition | null;
  generation: number;
  /** The time of the event. */
  createdAt: Date;
  startedAt: Date;
  /** The W3C traceparent of the request that the event came from, if that was traced. */
  traceparent: string | null;
  /** The outcome, when this attempt is recorded already. */
  recorded: AttemptOutcome | null;
};

/** Reads an attempt with its webhook and account as they are now; `key.deliveryId` is the UUID. */
export const findDueAttempt = async (sql: Sql, key: AttemptKey): Promise<DueAttempt | undefined> => {
  const [row] = await sql<DueAttempt[]>`${dueAttempts(sql, key)} where d.id = ${key.deliveryId}`;
  return row;
};

/** A first attempt of an outbox, with the process that has it, and what is left of its lease, in ms, negative after its end. */
export type DueFirstAttempt = DueAttempt & { round: number; sender: string | null; leaseMs: number | null };

/** Reads the first attempts of the present rounds of these deliveries, by id (UUIDs), but for those that retention has removed. */
export const findFirstAttempts = async (sql: Sql, ids: readonly string[]): Promise<Map<string, DueFirstAttempt>> => {
  const key = { ...firstAttempt, round: sql`d.round`, recorded: inRangeOf(sql, sql`t.delivery_id`, ids) };
  const more = sql`d.round, d.sender, 1000 * extract(epoch from d.sweep_at - clock_timestamp())::float8 as lease_ms, `;
  const rows = await sql<DueFirstAttempt[]>`${dueAttempts(sql, key, more)} where ${among(sql, sql`d.id`, ids)}`;
  return new Map(rows.map((row) => [row.id, row]));
};

export const firstAttempt = { kind: 'scheduled', number: 1 } as const;

type DueKey = Pick<AttemptKey, 'kind' | 'number'> & { round: number | Fragment; recorded?: Fragment };

/** SQL: selects attempts of deliveries `d`; the condition `recorded` narrows their records `t`, so that few partitions are read. */
const dueAttempts = (sql: Sql, { round, kind, number, recorded = sql`true` }: DueKey, more = sql``) => sql`
  select ${more} d.id, d.account_id, d.webhook_id, d.variant, d.is_test, d.body, d.status, d.in_progress and d.round = ${round} as in_progress,
    d.attempts_made, ${dueInMs(sql)} as due_in_ms, w.url, w.generation, ${unmetPrecondition(sql)} as unmet, ${sealedSecrets(sql)},
    d.created_at, clock_timestamp() as started_at, d.traceparent,
    (select json_strip_nulls(json_build_object(
        'outcome', t.outcome, 'reason', t.reason, 'detail', t.detail, 'statusCode', t.status_code, 'durationMs', t.duration_ms))
      from attempts t
      where t.delivery_id = d.id and t.round = ${round} and t.kind = ${kind} and t.number = ${number} and ${recorded}
    ) as recorded
  from deliveries d join webhooks w on w.id = d.webhook_id join accounts a on a.id = d.account_id`;

/** Details of an attempt beside its outcome, which are lost when it is recorded late. */
export type Evidence = {
  address: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string | string[]> | null;
  /** At most 16 KiB. */
  responseBody: Uint8Array | null;
  responseTruncated: boolean;
};

export const noEvidence: Evidence = {
  address: null,
  requestHeaders: null,
  responseHeaders: null,
  responseBody: null,
  responseTruncated: false,
};

export type AttemptRecord = AttemptOutcome & {
  startedAt: Date;
  /** When the answer came, by this process's monotonic clock in ms; unknown when recorded late. */
  answeredMs?: number;
  generation: number;
  evidence: Evidence;
};

/** An attempt to record; `key.deliveryId` is the UUID. `withoutWorkflow`: the round gets no workflow. */
export type NewAttempt = { key: AttemptKey; attempt: AttemptRecord; withoutWorkflow?: boolean };

/**
 * A delivery that a recorded attempt has changed. `ended`: by a success, or by the only attempt of a test event; `endedNow`: its round was in
 * progress. `goesOn`: the round waits for its next attempt, due in `dueInMs`.
 */
export type RecordedAttemptOf = RoundEnd & {
  deliveryId: string;
  ended: boolean;
  endedNow: boolean;
  goesOn: boolean;
  dueInMs: number | null;
};

/** Records one attempt, as `recordAttempts` does. Answers the delivery if that has ended it. */
export const recordAttempt = async (
  sql: Sql,
  key: AttemptKey,
  attempt: AttemptRecord,
): Promise<RoundEnd | undefined> => {
  const [changed] = await recordAttempts(sql, [{ key, attempt }]);
  return changed?.ended ? changed : undefined;
};

/**
 * Records attempts of different deliveries in one statement, each once, and answers the deliveries that it has changed. Rows are locked in the
 * order of their ids, against deadlocks.
 *
 * A success makes the delivery `delivered` for good and ends its round, also when the round was cancelled in the meantime; when it was replayed, the
 * newer round goes on. A failure of the ladder sets the time of the next attempt, unless a later one is recorded. A manual failure changes nothing.
 */
export const recordAttempts = async (sql: Sql, attempts: readonly NewAttempt[]): Promise<RecordedAttemptOf[]> => {
  const ids = attempts.map(({ key }) => key.deliveryId);
  const effects = attempts.map(({ key, attempt, withoutWorkflow = false }) => ({
    ...rowOf(key, attempt),
    ...effectOf(key, attempt),
    without_workflow: withoutWorkflow,
  }));
  const ofItsRound = sql`d.round = given.round`;
  const nextAttemptAt = sql`case when not d.is_test then clock_timestamp() + given.delay_ms * interval '1 ms' end`;
  const endedAt = sql`coalesce(statement_timestamp() - given.ended_ms_ago * interval '1 ms', given.ended_at)`;
  const sweepAt = sql`case when not d.is_test then coalesce(${nextAttemptAt}, clock_timestamp()) + make_interval(secs => ${retryGraceSeconds}) end`;
  return sql<RecordedAttemptOf[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.json(effects)}) as given (${attemptColumns(sql)}, succeeded boolean, ended_at timestamptz, ended_ms_ago float8,
        generation integer, of_ladder integer, delay_ms float8, without_workflow boolean)
    ), locked as materialized (
      select id, account_id, webhook_id from deliveries where ${among(sql, sql`id`, ids)} order by id for no key update
    ), attempt as (${insertGiven(sql, sql`locked`)})
    update deliveries d set
      status = case when given.succeeded then 'delivered' when d.succeeded_at is not null then d.status
        when d.is_test then 'failed' else 'retrying' end,
      succeeded_at = case when given.succeeded then greatest(d.succeeded_at, ${endedAt}) else d.succeeded_at end,
      finished_at = case when case when given.succeeded then ${ofItsRound} or not d.in_progress else d.is_test end then clock_timestamp() end,
      next_attempt_at = case when not given.succeeded then ${nextAttemptAt} when not (${ofItsRound}) then d.next_attempt_at end,
      sweep_at = case
        when not given.succeeded then ${sweepAt}
        when not (${ofItsRound}) then d.sweep_at end,
      without_workflow = d.without_workflow or (${ofItsRound} and given.without_workflow),
      sweeps = case when given.succeeded then d.sweeps else 0 end,
      attempts_made = case when ${ofItsRound} then greatest(d.attempts_made, given.of_ladder) else d.attempts_made end,
      first_attempt_at = case when ${ofItsRound} then coalesce(d.first_attempt_at, given.started_at) else d.first_attempt_at end,
      first_attempt_generation =
        case when ${ofItsRound} then coalesce(d.first_attempt_generation, given.generation) else d.first_attempt_generation end
    from given
    where d.id = any(array(select id from locked)) and ${inRangeOf(sql, sql`d.id`, ids)} and d.id = given.delivery_id
      and (given.succeeded or (given.kind = 'scheduled' and ${ofItsRound} and d.in_progress and d.attempts_made < given.number))
    returning d.id as delivery_id, d.account_id, d.status, given.succeeded or d.is_test as ended,
      ${ofItsRound} and old.in_progress and not d.in_progress as ended_now, ${ofItsRound} and d.in_progress as goes_on,
      ${ofItsRound} and old.in_progress and not d.is_test as counts, ${dueInMs(sql)} as due_in_ms`;
};

/**
 * An attempt ends when its answer comes, counted back from the database's clock at the recording, which is never too early. Counting forward from
 * `startedAt` may be too early in a busy process, and would date a success before a failure that was sent earlier.
 */
const effectOf = (
  { kind, number }: AttemptKey,
  { outcome, startedAt, durationMs, generation, answeredMs }: AttemptRecord,
) => ({
  succeeded: outcome === 'succeeded',
  ended_at: new Date(startedAt.getTime() + durationMs),
  ended_ms_ago: answeredMs === undefined ? null : performance.now() - answeredMs,
  generation,
  of_ladder: kind === 'scheduled' ? number : 0,
  delay_ms: delayAfterAttempt(number) ?? null,
});

/** Inserts an attempt of any kind once, without a change of the delivery. */
export const insertAttempt = async (
  sql: Sql,
  key: Pick<AttemptKey, 'deliveryId' | 'round' | 'number'> & { kind: AttemptKind },
  attempt: Omit<AttemptRecord, 'generation'>,
): Promise<void> => {
  await sql`
    with given as (
      select * from jsonb_to_recordset(${sql.json([rowOf(key, attempt)])}) as given (${attemptColumns(sql)}))
    ${insertGiven(sql, sql`(select id, account_id, webhook_id from deliveries where id = ${key.deliveryId})`)}`;
};

const rowOf = (
  { deliveryId, round, kind, number }: Parameters<typeof insertAttempt>[1],
  { evidence, ...attempt }: Omit<AttemptRecord, 'generation'>,
) => ({
  delivery_id: deliveryId,
  round,
  kind,
  number,
  outcome: attempt.outcome,
  reason: attempt.reason ?? null,
  detail: attempt.detail ?? null,
  status_code: attempt.statusCode ?? null,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  address: evidence.address,
  request_headers: evidence.requestHeaders,
  response_headers: evidence.responseHeaders,
  response_body: evidence.responseBody && Buffer.from(evidence.responseBody).toString('base64'),
  response_truncated: evidence.responseTruncated,
});

/** SQL: the columns of `rowOf`. */
const attemptColumns = (sql: Sql) => sql`
  delivery_id uuid, round integer, kind text, number integer, outcome text, reason text, detail text, status_code integer,
  started_at timestamptz, duration_ms integer, address text, request_headers jsonb, response_headers jsonb, response_body text,
  response_truncated boolean`;

/** SQL: inserts attempts `given` of these deliveries once; those of deliveries that retention has removed have no row to join. */
const insertGiven = (sql: Sql, deliveries: Fragment) => sql`
  insert into attempts (delivery_id, round, kind, number, account_id, webhook_id, outcome, reason, detail, status_code, started_at,
    duration_ms, address, request_headers, response_headers, response_body, response_truncated)
  select d.id, given.round, given.kind, given.number, d.account_id, d.webhook_id, given.outcome, given.reason, given.detail,
    given.status_code, given.started_at, given.duration_ms, given.address, given.request_headers, given.response_headers,
    decode(given.response_body, 'base64'), given.response_truncated
  from given join ${deliveries} d on d.id = given.delivery_id
  on conflict do nothing`;
