import { activityInfo } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { parseId } from '../shared/ids.ts';
import { askAs } from '../shared/platform/bulkhead/asker.ts';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import { NoSlot } from '../shared/platform/bulkhead/shares.ts';
import { readFairnessKey } from '../shared/platform/temporal/fairness.ts';

/**
 * How long an activity waits for its slot among the writes of its account, in ms. A local one has a slot for workflow tasks meanwhile, which
 * belongs to everybody, and is done as an ordinary one then.
 */
const patienceMs = { local: 500, ordinary: 2_000 };

/** The delay until an ordinary activity that found no slot is done again, in ms. */
const awayMs = 2_000;

/**
 * Has an activity ask for the account that its fairness key names, which Temporal keeps of ordinary ones. One that finds no slot among the writes
 * of its account is turned away, and Temporal has it done again.
 */
export const askForAccount = (): ActivityInboundCallsInterceptor => ({
  execute: async (input, next) => {
    const { isLocal, priority } = activityInfo();
    const key = priority?.fairnessKey;
    const accountId = (key && parseId('account', readFairnessKey(key).accountId)) || '';
    try {
      return await askAs({ accountId, patienceMs: patienceMs[isLocal ? 'local' : 'ordinary'] }, () => next(input));
    } catch (error) {
      throw error instanceof NoSlot ? busy(awayMs) : error;
    }
  },
});
