import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { retentionSchedule } from '../../shared/temporal/schedules.ts';
import { ok, warning, type Finding } from './finding.ts';

/** Whether Temporal's schedule removes what is old. */
export const examineRetention = async (client: Client): Promise<Finding> => {
  try {
    const { state, info } = await client.schedule.getHandle(retentionSchedule).describe();
    if (!state.paused) return ok('Retention', `next run ${info.nextActionTimes[0]?.toISOString() ?? 'not planned'}`);
    const remedy = `temporal schedule toggle --schedule-id ${retentionSchedule} --unpause`;
    return warning('Retention', 'paused: nothing old is removed', remedy);
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    const remedy = 'start a worker, which makes it; where that is not allowed, run parley retention run once a day';
    return warning('Retention', `no schedule ${retentionSchedule}: nothing old is removed`, remedy);
  }
};
