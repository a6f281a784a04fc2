import { proxyLocalActivities } from '@temporalio/workflow';

const { attempt } = proxyLocalActivities<{ attempt: (id: string) => Promise<void> }>({
  startToCloseTimeout: '15 s',
  retry: { maximumAttempts: 1 },
});

/** Has the shape of a healthy delivery: one local activity. The activity does nothing. */
export async function floor(id: string): Promise<'delivered'> {
  await attempt(id);
  return 'delivered';
}
