import type { Sql } from '../db/connect.ts';
import { unreachable } from '../../unreachable.ts';
import { selectFairly } from './fair-claim.ts';
import type { DeliveryDispatch, DispatchRequest, MailDispatch, ReplayDispatch } from './requests.ts';

/**
 * Claimed of each kind at once; a full claim is followed by the next one. What a claim costs goes by it: each row of it is written
 * to ten indexes, and ten candidates are compared for it.
 */
export const claimLimit = 100;

/** A claim holds for so long; whoever made it says what became of it, or has died, and the rows are looked at again. */
const lease = (sql: Sql) => sql`sweep_at = clock_timestamp() + interval '20 seconds'`;

/** Claims the unfinished deliveries, mails and replays that are overdue, so that no other process looks at them at the same time. */
export const claimOverdue = async (sql: Sql): Promise<DispatchRequest[]> => {
  const deliveries = await sql<Omit<DeliveryDispatch, 'type'>[]>`
    with overdue as (${selectFairly(sql, claimLimit)})
    update deliveries d set ${lease(sql)} where d.id = any(array(select id from overdue))
    returning d.id as delivery_id, d.account_id, d.webhook_id, d.contact_id, d.event_name, d.variant, d.round, d.resumes,
      d.is_test, d.attempts_made > 0 or d.resumes > 0 as resumed`;
  const mails = await sql<Omit<MailDispatch, 'type'>[]>`
    with overdue as (
      select id from mails where sweep_at <= now() order by sweep_at limit ${claimLimit} for update skip locked)
    update mails m set ${lease(sql)} from overdue where m.id = overdue.id
    returning m.id as mail_id, m.account_id, m.resumes`;
  const replays = await sql<Omit<ReplayDispatch, 'type'>[]>`
    with overdue as (
      select id from replays where sweep_at <= now() order by sweep_at limit ${claimLimit} for update skip locked)
    update replays r set ${lease(sql)} from overdue where r.id = overdue.id
    returning r.id as replay_id, r.account_id, r.webhook_id, r.total, r.pace, r.resumes`;
  return [
    ...deliveries.map((row) => ({ type: 'delivery' as const, ...row })),
    ...mails.map((row) => ({ type: 'mail' as const, ...row })),
    ...replays.map((row) => ({ type: 'replay' as const, ...row })),
  ];
};

/**
 * Has claims of which nothing became, because their start failed, looked at again in 5 s: twice as long after each look, at most
 * a minute, for most likely it is Temporal that fails.
 */
export const giveBack = (sql: Sql, requests: readonly DispatchRequest[]): Promise<void> =>
  updateClaimed(
    sql,
    requests,
    sql`sweeps = sweeps + 1, sweep_at = clock_timestamp() + least(
      interval '1 minute', interval '5 seconds' * 2 ^ least(sweeps, 6))`,
  );

/**
 * Has claims that a workflow carries now looked at again when their lease ends, from the second look on 20 s later, twice as long
 * after each, at most 10 minutes. Never sooner than the workflow itself has asked for meanwhile.
 */
export const pushOut = (sql: Sql, requests: readonly DispatchRequest[]): Promise<void> =>
  updateClaimed(
    sql,
    requests,
    sql`sweeps = sweeps + 1, sweep_at = greatest(
      sweep_at, clock_timestamp() + least(interval '10 minutes', interval '10 seconds' * 2 ^ least(sweeps, 6)))`,
  );

const updateClaimed = async (
  sql: Sql,
  requests: readonly DispatchRequest[],
  change: ReturnType<typeof lease>,
): Promise<void> => {
  const deliveries = requests.flatMap((request) => (request.type === 'delivery' ? [request.deliveryId] : []));
  const mails = requests.flatMap((request) => (request.type === 'mail' ? [request.mailId] : []));
  const replays = requests.flatMap((request) => (request.type === 'replay' ? [request.replayId] : []));
  if (deliveries.length > 0) {
    await sql`update deliveries set ${change} where id = any(${deliveries}) and sweep_at is not null`;
  }
  if (mails.length > 0) await sql`update mails set ${change} where id = any(${mails}) and sweep_at is not null`;
  if (replays.length > 0) await sql`update replays set ${change} where id = any(${replays}) and sweep_at is not null`;
};

/**
 * Counts one more workflow for what another has left unfinished; undefined when it was finished meanwhile or another
 * process was first.
 */
export const countResume = async (sql: Sql, request: DispatchRequest): Promise<DispatchRequest | undefined> => {
  const { resumes } = request;
  switch (request.type) {
    case 'delivery': {
      const { deliveryId, round } = request;
      const [row] = await sql`
        update deliveries set resumes = resumes + 1
        where id = ${deliveryId} and round = ${round} and resumes = ${resumes} and sweep_at is not null returning 1`;
      return row && { ...request, resumes: resumes + 1, resumed: true };
    }
    case 'mail': {
      const [row] = await sql`
        update mails set resumes = resumes + 1 where id = ${request.mailId} and resumes = ${resumes} and sweep_at is not null returning 1`;
      return row && { ...request, resumes: resumes + 1 };
    }
    case 'replay': {
      const [row] = await sql`
        update replays set resumes = resumes + 1
        where id = ${request.replayId} and resumes = ${resumes} and sweep_at is not null returning 1`;
      return row && { ...request, resumes: resumes + 1 };
    }
    default:
      return unreachable(request);
  }
};
