import type { Sql } from '../platform/db/connect.ts';
import { kinds, type Kind } from './counts.ts';
import { eachBucket, latencyBoundsMs } from './histogram.ts';
import { countLive, type Asked } from './live.ts';
import { nextHour, stretchesOf, type Points } from './points.ts';
import { hoursReadyUntil, rolledUpOf } from './roll-up-kind.ts';

/** What was counted, and how many attempts each bucket has. */
export type Tally = Record<Kind, number> & { latency: number[] };

/** A series, and its period before. `isCapped`: hours from `rolledUpUntil` on have more than was counted of them. */
export type Statistics = {
  points: { at: Date; tally: Tally }[];
  total: Tally;
  before: Tally | undefined;
  rolledUpUntil: Date;
  isCapped: boolean;
};

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
  { cap, ...times }: Points & { cap?: number },
): Promise<Statistics> => {
  const { starts, split } = stretchesOf(times);
  const sums = starts.map((at) => ({ at, tally: noTally() }));
  const [since, until] = [nextHour(starts[0] ?? times.end), nextHour(times.end)];
  const { rolledUpUntil, rows } = await readHours(sql, asked, { starts, since, until });
  for (const row of rows) add(sums[row.point - 1]?.tally, row);
  const live = { since: since > rolledUpUntil ? since : rolledUpUntil, until };
  const { counts, isCapped } =
    live.since < live.until
      ? await countLive(sql, asked, { ...live, ...(cap !== undefined && { cap }) })
      : { counts: [], isCapped: false };
  for (const { hour, kind, bucket, count } of counts) {
    const tally = sums.findLast(({ at }) => at <= hour)?.tally;
    if (!tally) continue;
    tally[kind] += count;
    if (bucket !== null) addToBucket(tally, bucket, count);
  }
  const { points, before } = split(sums);
  const total = noTally();
  for (const { tally } of points) add(total, tally);
  return { points, total, before: before?.tally, rolledUpUntil, isCapped };
};

const add = (to: Tally | undefined, more: Tally): void => {
  if (!to) return;
  for (const kind of kinds) to[kind] += more[kind];
  for (const [bucket, count] of more.latency.entries()) addToBucket(to, bucket, count);
};

const addToBucket = ({ latency }: Tally, bucket: number, count: number): void => {
  latency[bucket] = (latency[bucket] ?? 0) + count;
};

type Row = Tally & { point: number };

/** The rows of one webhook and event, or of all, summed up stretch by stretch, and up to when there are rows. `point` counts from 1. */
const readHours = async (
  sql: Sql,
  { accountId, webhookId, eventName }: Asked,
  { starts, since, until }: { starts: readonly Date[]; since: Date; until: Date },
): Promise<{ rolledUpUntil: Date; rows: Row[] }> => {
  const latency = eachBucket(latencyBoundsMs, (bucket) => `coalesce(sum(latency[${bucket + 1}]), 0)::float8`);
  const read = await sql<((Row | { point: null }) & { rolledUpUntil: Date })[]>`
    with progress as materialized (select ${hoursReadyUntil(sql, 'statistics_progress', sql`${accountId}`)} as rolled_up_until)
    select progress.rolled_up_until, summed.*
    from progress left join lateral (
      select width_bucket(hour, ${starts.map((start) => start.toISOString())}::timestamptz[]) as point, coalesce(sum(events), 0)::float8 as event,
        sum(failed)::float8 as failed, sum(dropped)::float8 as dropped, sum(cancelled)::float8 as cancelled,
        sum(attempts - attempts_failed)::float8 as succeeded, sum(attempts_failed)::float8 as unsuccessful,
        array[${sql.unsafe(latency.join(', '))}] as latency
      from statistics_hours
      where account_id = ${accountId} and hour >= ${since} and hour < least(${until}, progress.rolled_up_until)
        and ${webhookId === undefined ? sql`webhook_id is null` : sql`webhook_id = ${webhookId}`}
        and ${eventName === undefined ? sql`event_name is null` : sql`event_name = ${eventName}`}
      group by 1) as summed on true`;
  return { rolledUpUntil: rolledUpOf(read), rows: read.filter((row) => row.point !== null) };
};
