import type { Sql } from '../platform/db/connect.ts';
import { activityKinds, addActivity, noActivity, type Activity } from './activity.ts';
import { answerBoundsMs, eachBucket } from './histogram.ts';
import { countLiveActivity } from './live-activity.ts';
import { earlier, nextHour, type Points } from './points.ts';
import { hoursReadyUntil } from './roll-up-kind.ts';

/** What an account did, point by point. `isCapped`: hours from `rolledUpUntil` on have more than was counted of them. */
export type ActivitySeries = { points: Activity[]; total: Activity; rolledUpUntil: Date; isCapped: boolean };

/** Reads what an account did: hours that are rolled up from their rows, later ones from the tables, of which `cap` rows are read at most. */
export const readActivity = async (
  sql: Sql,
  accountId: string,
  { starts, end, cap }: Points & { cap?: number },
): Promise<ActivitySeries> => {
  const points = starts.map(noActivity);
  const [{ rolledUpUntil }] = await sql<[{ rolledUpUntil: Date }]>`
    select ${hoursReadyUntil(sql, 'activity_progress', sql`${accountId}`)} as rolled_up_until`;
  const [firstHour, endHour] = [nextHour(starts[0] ?? end), nextHour(end)];
  const kinds = activityKinds.map(({ column }) => `sum(${column})::float8 as ${column}`);
  const buckets = eachBucket(answerBoundsMs, (bucket) => `coalesce(sum(first_answers[${bucket + 1}]), 0)::float8`);
  const rows = await sql<(Activity & { point: number })[]>`
    select width_bucket(hour, ${starts.map((start) => start.toISOString())}::timestamptz[]) as point,
      ${sql.unsafe(kinds.join(', '))}, array[${sql.unsafe(buckets.join(', '))}] as first_answers
    from activity_hours
    where account_id = ${accountId} and hour >= ${firstHour} and hour < ${earlier(endHour, rolledUpUntil)}
    group by 1`;
  for (const { point, ...activity } of rows) addTo(points[point - 1], activity);
  const live = { since: firstHour > rolledUpUntil ? firstHour : rolledUpUntil, until: endHour };
  const { hours, isCapped } =
    live.since < live.until
      ? await countLiveActivity(sql, accountId, { ...live, ...(cap !== undefined && { cap }) })
      : { hours: [], isCapped: false };
  for (const { hour, activity } of hours) addTo(points[starts.findLastIndex((start) => start <= hour)], activity);
  const total = noActivity();
  for (const point of points) addActivity(total, point);
  return { points, total, rolledUpUntil, isCapped };
};

const addTo = (point: Activity | undefined, activity: Activity): void => {
  if (point) addActivity(point, activity);
};
