import type { Sql } from '../platform/db/connect.ts';
import type { Variant } from '../events/names.ts';
import { unmetPrecondition, type UnmetPrecondition } from '../webhooks/preconditions.ts';
import { sealedSecrets, type SealedSecrets } from '../webhooks/signing-secrets.ts';
import { delayAfterAttempt } from './ladder.ts';
import type { RoundEnd } from './rounds.ts';
import type { AttemptKey, AttemptKind, AttemptOutcome, DeliveryStatus } from './types.ts';

/** Everything that an attempt needs, read in one statement. `startedAt` is by the database's clock. */
export type DueAttempt = SealedSecrets & {
  accountId: string;
  webhookId: string;
  variant: Variant;
  isTest: boolean;
  body: Uint8Array;
  status: DeliveryStatus;
  inProgress: boolean;
  /** Attempts of the ladder in the delivery's latest round. */
  attemptsMade: number;
  url: string;
  /** What stands against sending it. */
  unmet: UnmetPrecondition | null;
  generation: number;
  /** When its event happened. */
  createdAt: Date;
  startedAt: Date;
  /** The W3C traceparent of the call that its event came from; null where that was not traced. */
  traceparent: string | null;
  /** The outcome of this attempt, when it has been recorded before. */
  recorded: AttemptOutcome | null;
};

/** The attempt that is to be made, with its webhook and account as they are now; `key.deliveryId` is the UUID. */
export const findDueAttempt = async (sql: Sql, key: AttemptKey): Promise<DueAttempt | undefined> => {
  const [row] = await sql<DueAttempt[]>`
    select d.account_id, d.webhook_id, d.variant, d.is_test, d.body, d.status, d.in_progress and d.round = ${key.round} as in_progress, d.attempts_made,
      w.url, w.generation, ${unmetPrecondition(sql)} as unmet, ${sealedSecrets(sql)},
      d.created_at, clock_timestamp() as started_at, d.traceparent,
      (select json_strip_nulls(json_build_object(
          'outcome', t.outcome, 'reason', t.reason, 'detail', t.detail, 'statusCode', t.status_code, 'durationMs', t.duration_ms))
        from attempts t
        where t.delivery_id = ${key.deliveryId} and t.round = ${key.round} and t.kind = ${key.kind} and t.number = ${key.number}
      ) as recorded
    from deliveries d join webhooks w on w.id = d.webhook_id join accounts a on a.id = d.account_id
    where d.id = ${key.deliveryId}`;
  return row;
};

/** What was seen of an attempt beside its outcome. All of it may be missing when the attempt was recorded late. */
export type Evidence = {
  address: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string | string[]> | null;
  /** An excerpt, at most 16 KiB. */
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

export type AttemptRecord = AttemptOutcome & { startedAt: Date; generation: number; evidence: Evidence };

/** The sweep looks after a retry that is overdue by so many seconds. */
const retryGraceSeconds = 30;

/**
 * Writes an attempt and its effect on the delivery in one statement. An attempt that is written twice counts once.
 *
 * A success makes the delivery `delivered` for good and ends its round. A success may come late: when the round was cancelled meanwhile it is
 * `delivered` all the same, and when it was replayed the newer round goes on. A failure of the ladder sets the time of the next attempt,
 * unless a later attempt is recorded already. A manual failure changes nothing. Answers the round that a success has ended.
 */
export const recordAttempt = async (
  sql: Sql,
  key: AttemptKey,
  attempt: AttemptRecord,
): Promise<RoundEnd | undefined> => {
  const insert = insertAttempt(sql, key, attempt);
  if (attempt.outcome === 'succeeded') {
    const ofItsRound = sql`round = ${key.round}`;
    const [delivery] = await sql<RoundEnd[]>`
      with attempt as (${insert})
      update deliveries set status = 'delivered', succeeded_at = greatest(succeeded_at, ${endOf(attempt)}),
        finished_at = case when ${ofItsRound} or not in_progress then clock_timestamp() end,
        next_attempt_at = case when not ${ofItsRound} then next_attempt_at end,
        sweep_at = case when not ${ofItsRound} then sweep_at end, ${begun(sql, key, attempt)}
      where id = ${key.deliveryId}
      returning status, ${ofItsRound} and old.in_progress and not is_test as counts`;
    return delivery;
  }
  if (key.kind === 'manual') {
    await insert;
    return undefined;
  }
  const delayMs = delayAfterAttempt(key.number) ?? null;
  await sql`
    with attempt as (${insert})
    update deliveries set
      status = case when succeeded_at is not null then status when is_test then 'failed' else 'retrying' end,
      finished_at = case when is_test then clock_timestamp() end,
      next_attempt_at = case when not is_test then clock_timestamp() + ${delayMs} * interval '1 ms' end,
      sweep_at = case when not is_test then
        clock_timestamp() + coalesce(${delayMs}, 0) * interval '1 ms' + make_interval(secs => ${retryGraceSeconds}) end,
      sweeps = 0, ${begun(sql, key, attempt)}
    where id = ${key.deliveryId} and round = ${key.round} and in_progress and attempts_made < ${key.number}`;
  return undefined;
};

/** The statement that writes one attempt of any kind, unless it is written already. It does not change the delivery. */
export const insertAttempt = (
  sql: Sql,
  key: Pick<AttemptKey, 'deliveryId' | 'round' | 'number'> & { kind: AttemptKind },
  attempt: Omit<AttemptRecord, 'generation'>,
) => {
  const { evidence } = attempt;
  return sql`
    insert into attempts (delivery_id, round, kind, number, account_id, webhook_id, outcome, reason, detail, status_code, started_at,
      duration_ms, address, request_headers, response_headers, response_body, response_truncated)
    select id, ${key.round}, ${key.kind}, ${key.number}, account_id, webhook_id, ${attempt.outcome}, ${attempt.reason ?? null},
      ${attempt.detail ?? null}, ${attempt.statusCode ?? null}, ${attempt.startedAt}, ${attempt.durationMs}, ${evidence.address},
      ${evidence.requestHeaders && sql.json(evidence.requestHeaders)}, ${evidence.responseHeaders && sql.json(evidence.responseHeaders)},
      ${evidence.responseBody}, ${evidence.responseTruncated}
    from deliveries where id = ${key.deliveryId}
    on conflict do nothing`;
};

/** When the answer came. The time of recording may be later or come twice, and would separate failures that were consecutive. */
const endOf = ({ startedAt, durationMs }: AttemptRecord): Date => new Date(startedAt.getTime() + durationMs);

/** The counters of the attempt's round, where that is the latest. The time and generation of its first attempt decide about disabling. */
const begun = (sql: Sql, key: AttemptKey, { startedAt, generation }: AttemptRecord) => {
  const ofItsRound = sql`round = ${key.round}`;
  const number = key.kind === 'scheduled' ? key.number : 0;
  return sql`
    attempts_made = case when ${ofItsRound} then greatest(attempts_made, ${number}) else attempts_made end,
    first_attempt_at = case when ${ofItsRound} then coalesce(first_attempt_at, ${startedAt}) else first_attempt_at end,
    first_attempt_generation =
      case when ${ofItsRound} then coalesce(first_attempt_generation, ${generation}) else first_attempt_generation end`;
};
