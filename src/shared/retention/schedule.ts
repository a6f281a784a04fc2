import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';
import { taskQueues } from '../platform/temporal/task-queues.ts';

/** The id of the schedule. The ids of its workflows add the time. */
export const retentionSchedule = 'retention';

/** Once a day, in UTC, when there is least to do. A run that was missed while Temporal was away is caught up. */
const daily = {
  spec: { calendars: [{ hour: 3, minute: 17 }], jitter: '15 min' },
  action: {
    type: 'startWorkflow',
    workflowType: 'applyRetention',
    workflowId: retentionSchedule,
    taskQueue: taskQueues.maintenance,
    staticSummary: 'remove what is older than the retention',
  },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
} satisfies Omit<ScheduleOptions, 'scheduleId'>;

/** How long a server may take to accept the schedule, in ms. The next connection tries again. */
const deadlineMs = 5_000;

/**
 * Creates the schedule `retention`, or brings it up to this version. A schedule that an operator has paused stays paused. Any number of
 * processes may do so at the same time. Rejects when it is not allowed, or when Temporal does not answer in time.
 */
export const registerSchedules = (client: Client): Promise<void> =>
  client.withDeadline(Date.now() + deadlineMs, async () => {
    try {
      await client.schedule.create({ scheduleId: retentionSchedule, ...daily });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await client.schedule.getHandle(retentionSchedule).update(({ state }) => ({ state, ...daily }));
    }
  });
