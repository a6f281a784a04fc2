import { activityInfo } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { parseId } from '../shared/ids.ts';
import { askAs } from '../shared/platform/bulkhead/asker.ts';
import { readFairnessKey } from '../shared/platform/temporal/fairness.ts';

/** Has an activity ask for the account that its fairness key names, which Temporal keeps of ordinary activities. */
export const askForAccount = (): ActivityInboundCallsInterceptor => ({
  execute: (input, next) => {
    const key = activityInfo().priority?.fairnessKey;
    const accountId = key ? parseId('account', readFairnessKey(key).accountId) : undefined;
    return accountId === undefined ? next(input) : askAs({ accountId }, () => next(input));
  },
});
