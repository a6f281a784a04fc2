import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { listOldWeeks } from '../../shared/retention/weeks.ts';
import { retentionSchedule } from '../../shared/retention/schedule.ts';
import { ok, warning, type Finding } from './finding.ts';

const part = 'Retention';

/** It runs once a day: what is past due for longer was left more than once. */
const daysPastDue = 2;

/** Whether weeks of the log are still there that should have gone days ago: each run tells why in a line of the log only. */
export const examineOldWeeks = async (sql: Sql, retentionDays: number): Promise<Finding> => {
  const weeks = await listOldWeeks(sql, retentionDays + daysPastDue);
  const [oldest] = weeks;
  if (!oldest) return ok(part, `no week of the log is past its ${retentionDays} days`);
  const rounds = weeks.reduce((sum, { roundsInProgress }) => sum + roundsInProgress, 0);
  const kept = weeks.filter(({ roundsInProgress }) => roundsInProgress > 0).length;
  const why = kept > 0 ? `; ${kept} of them kept by ${rounds} rounds in progress` : '';
  return warning(
    part,
    `${weeks.length} weeks of the log, from that of ${oldest.week} on, should have gone more than ${daysPastDue} days ago by the ${retentionDays} of RETENTION_DAYS${why}`,
    'where no process is at work, give doctor the RETENTION_DAYS of the service; else end what is in progress, or the transaction that holds the log each night (weeksInUse in the log line retention.applied)',
  );
};

/** Whether Temporal's schedule removes what is old. */
export const examineRetention = async (client: Client): Promise<Finding> => {
  try {
    const { state, info } = await client.schedule.getHandle(retentionSchedule).describe();
    if (!state.paused) return ok(part, `next run ${info.nextActionTimes[0]?.toISOString() ?? 'not planned'}`);
    const remedy = `temporal schedule toggle --schedule-id ${retentionSchedule} --unpause`;
    return warning(part, 'paused: nothing old is removed', remedy);
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    const remedy =
      'start a worker, which makes it; where that is not allowed, run parley retention run --days … once a day';
    return warning(part, `no schedule ${retentionSchedule}: nothing old is removed`, remedy);
  }
};
