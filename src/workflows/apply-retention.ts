import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RetentionReport } from '../shared/retention/apply.ts';

const activities = proxyActivities<Activities>({
  startToCloseTimeout: '15 min',
  retry: { initialInterval: '10 s', backoffCoefficient: 2, maximumInterval: '10 min' },
  summary: 'remove what is older than the retention',
});

/** Started by the schedule `retention`, or by hand; weeks that it had to leave are the next day's. */
export async function applyRetention(): Promise<RetentionReport> {
  return activities.applyRetention();
}
