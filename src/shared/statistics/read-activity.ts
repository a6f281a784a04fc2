import type { Sql } from '../platform/db/connect.ts';
import { activityKinds, addActivity, noActivity, type Activity } from './activity.ts';
import { answerBoundsMs, eachBucket } from './histogram.ts';
import { countLiveActivity } from './live-activity.ts';
import { nextHour, stretchesOf, type Points } from './points.ts';
import { hoursReadyUntil, rolledUpOf } from './roll-up-kind.ts';

/**
 * What an account did, point by point, and in the period before. `isCapped`: hours from `rolledUpUntil` on have more than was counted of them.
 */
export type ActivitySeries = {
  points: Activity[];
  total: Activity;
  before: Activity | undefined;
  rolledUpUntil: Date;
  isCapped: boolean;
};

/** Reads what an account did: hours that are rolled up from their rows, later ones from the tables, of which `cap` rows are read at most. */
export const readActivity = async (
  sql: Sql,
  accountId: string,
  { cap, ...asked }: Points & { cap?: number },
): Promise<ActivitySeries> => {
  const { starts, split } = stretchesOf(asked);
  const sums = starts.map(noActivity);
  const [since, until] = [nextHour(starts[0] ?? asked.end), nextHour(asked.end)];
  const { rolledUpUntil, rows } = await readHours(sql, accountId, { starts, since, until });
  for (const { point, ...activity } of rows) addTo(sums[point - 1], activity);
  const live = { since: since > rolledUpUntil ? since : rolledUpUntil, until };
  const { hours, isCapped } =
    live.since < live.until
      ? await countLiveActivity(sql, accountId, { ...live, ...(cap !== undefined && { cap }) })
      : { hours: [], isCapped: false };
  for (const { hour, activity } of hours) addTo(sums[starts.findLastIndex((start) => start <= hour)], activity);
  const { points, before } = split(sums);
  const total = noActivity();
  for (const point of points) addActivity(total, point);
  return { points, total, before, rolledUpUntil, isCapped };
};

const addTo = (point: Activity | undefined, activity: Activity): void => {
  if (point) addActivity(point, activity);
};

type Row = Activity & { point: number };

/** The rows summed up stretch by stretch, and up to when there are rows. `point` counts from 1. */
const readHours = async (
  sql: Sql,
  accountId: string,
  { starts, since, until }: { starts: readonly Date[]; since: Date; until: Date },
): Promise<{ rolledUpUntil: Date; rows: Row[] }> => {
  const kinds = activityKinds.map(({ column }) => `sum(${column})::float8 as ${column}`);
  const buckets = eachBucket(answerBoundsMs, (bucket) => `coalesce(sum(first_answers[${bucket + 1}]), 0)::float8`);
  const read = await sql<((Row | { point: null }) & { rolledUpUntil: Date })[]>`
    with progress as materialized (select ${hoursReadyUntil(sql, 'activity_progress', sql`${accountId}`)} as rolled_up_until)
    select progress.rolled_up_until, summed.*
    from progress left join lateral (
      select width_bucket(hour, ${starts.map((start) => start.toISOString())}::timestamptz[]) as point,
        ${sql.unsafe(kinds.join(', '))}, array[${sql.unsafe(buckets.join(', '))}] as first_answers
      from activity_hours
      where account_id = ${accountId} and hour >= ${since} and hour < least(${until}, progress.rolled_up_until)
      group by 1) as summed on true`;
  return { rolledUpUntil: rolledUpOf(read), rows: read.filter((row) => row.point !== null) };
};
