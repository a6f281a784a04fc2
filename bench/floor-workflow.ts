import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

type Activities = { attempt: (id: string) => Promise<void>; nothing: () => Promise<void> };

const { attempt, nothing } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '15 s',
  retry: { maximumAttempts: 1 },
});

/** Has the shape of a healthy delivery: one local activity. The activity does nothing. */
export async function floor(id: string): Promise<'delivered'> {
  await attempt(id);
  return 'delivered';
}

const ordinary = proxyActivities<Activities>({ startToCloseTimeout: '15 s', retry: { maximumAttempts: 1 } });

/** Has the shape of a run with one call: a look, the call as an ordinary activity, and another look. None of them does anything. */
export async function floorWithCall(id: string): Promise<'completed'> {
  await nothing();
  await ordinary.nothing();
  await attempt(id);
  return 'completed';
}
