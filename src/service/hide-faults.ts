import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { isBusy } from '../shared/platform/bulkhead/busy.ts';
import { isVisibleFailure } from '../shared/platform/temporal/visible-failure.ts';
import type { Logger } from '../shared/platform/log.ts';
import { codeOf } from '../shared/platform/error-code.ts';

/**
 * Logs our own faults whole, and passes only their names on to Temporal's history. The history is clear text, and an error's message may
 * repeat a row, an address or a recipient. A failed attempt is no fault and passes as it is.
 */
export const hideFaults = (log: Logger): ActivityInboundCallsInterceptor => ({
  execute: async (input, next) => {
    try {
      return await next(input);
    } catch (error) {
      if (isBusy(error) || isVisibleFailure(error)) throw error;
      const { activityType, attempt, workflowExecution } = activityInfo();
      log.error(
        { err: error, activity: activityType, attempt, workflow: workflowExecution?.workflowId },
        'activity.failed',
      );
      const name = error instanceof Error ? error.name : 'unknown error';
      const code = codeOf(error);
      const failure = ApplicationFailure.retryable(
        `${[name, code].filter(Boolean).join(' ')}: see the log of the worker`,
        name,
      );
      delete failure.stack;
      throw failure;
    }
  },
});
