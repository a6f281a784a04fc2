import type { Sql } from '../platform/db/connect.ts';
import { kinds, type Kind } from './counts.ts';
import { eachBucket, latencyBoundsMs } from './histogram.ts';
import { countLive, type Asked } from './live.ts';
import { earlier, nextHour, type Points } from './points.ts';
import { hoursReadyUntil } from './roll-up-kind.ts';

/** What was counted, and how many attempts each bucket has. */
export type Tally = Record<Kind, number> & { latency: number[] };

/** A series. `isCapped`: hours from `rolledUpUntil` on have more than was counted of them. */
export type Statistics = { points: { at: Date; tally: Tally }[]; total: Tally; rolledUpUntil: Date; isCapped: boolean };

const noTally = (): Tally => ({
  event: 0,
  failed: 0,
  dropped: 0,
  cancelled: 0,
  succeeded: 0,
  unsuccessful: 0,
  latency: eachBucket(latencyBoundsMs, () => 0),
});

/** Reads a series of an account: hours that are rolled up from their rows, later ones from the logs, of which `cap` is read at most. */
export const readStatistics = async (
  sql: Sql,
  asked: Asked,
  { starts, end, cap }: Points & { cap?: number },
): Promise<Statistics> => {
  const points = starts.map((at) => ({ at, tally: noTally() }));
  const [{ rolledUpUntil }] = await sql<[{ rolledUpUntil: Date }]>`
    select ${hoursReadyUntil(sql, 'statistics_progress', sql`${asked.accountId}`)} as rolled_up_until`;
  const firstHour = nextHour(starts[0] ?? end);
  const endHour = nextHour(end);
  for (const row of await readHours(sql, asked, { starts, since: firstHour, until: earlier(endHour, rolledUpUntil) }))
    add(points[row.point - 1]?.tally, row);
  const live = { since: firstHour > rolledUpUntil ? firstHour : rolledUpUntil, until: endHour };
  const { counts, isCapped } =
    live.since < live.until
      ? await countLive(sql, asked, { ...live, ...(cap !== undefined && { cap }) })
      : { counts: [], isCapped: false };
  for (const { hour, kind, bucket, count } of counts) {
    const tally = points.findLast(({ at }) => at <= hour)?.tally;
    if (!tally) continue;
    tally[kind] += count;
    if (bucket !== null) addToBucket(tally, bucket, count);
  }
  const total = noTally();
  for (const { tally } of points) add(total, tally);
  return { points, total, rolledUpUntil, isCapped };
};

const add = (to: Tally | undefined, more: Tally): void => {
  if (!to) return;
  for (const kind of kinds) to[kind] += more[kind];
  for (const [bucket, count] of more.latency.entries()) addToBucket(to, bucket, count);
};

const addToBucket = ({ latency }: Tally, bucket: number, count: number): void => {
  latency[bucket] = (latency[bucket] ?? 0) + count;
};

/** The rows of one webhook and event, or of all, summed up point by point. `point` counts from 1. */
const readHours = async (
  sql: Sql,
  { accountId, webhookId, eventName }: Asked,
  { starts, since, until }: { starts: readonly Date[]; since: Date; until: Date },
): Promise<(Tally & { point: number })[]> => {
  const latency = eachBucket(latencyBoundsMs, (bucket) => `coalesce(sum(latency[${bucket + 1}]), 0)::float8`);
  return sql<(Tally & { point: number })[]>`
    select width_bucket(hour, ${starts.map((start) => start.toISOString())}::timestamptz[]) as point, coalesce(sum(events), 0)::float8 as event,
      sum(failed)::float8 as failed, sum(dropped)::float8 as dropped, sum(cancelled)::float8 as cancelled,
      sum(attempts - attempts_failed)::float8 as succeeded, sum(attempts_failed)::float8 as unsuccessful,
      array[${sql.unsafe(latency.join(', '))}] as latency
    from statistics_hours
    where account_id = ${accountId} and hour >= ${since} and hour < ${until}
      and ${webhookId === undefined ? sql`webhook_id is null` : sql`webhook_id = ${webhookId}`}
      and ${eventName === undefined ? sql`event_name is null` : sql`event_name = ${eventName}`}
    group by 1`;
};
