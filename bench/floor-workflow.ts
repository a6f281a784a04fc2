import { proxyLocalActivities } from '@temporalio/workflow';

const { attempt } = proxyLocalActivities<{ attempt: (id: string) => Promise<void> }>({
  startToCloseTimeout: '15 s',
  retry: { maximumAttempts: 1 },
});

/** The shape of a healthy delivery and nothing of its substance: one local activity, which does nothing. */
export async function floor(id: string): Promise<'delivered'> {
  await attempt(id);
  return 'delivered';
}
