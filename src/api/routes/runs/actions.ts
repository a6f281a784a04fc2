import { found } from '../../../shared/errors.ts';
import { cancelRun } from '../../../shared/runs/life/cancel.ts';
import { findRun } from '../../../shared/runs/queries.ts';
import { retryRun } from '../../../shared/runs/life/retry.ts';
import { runBody, showRun } from '../../../shared/runs/schema.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';

/** What is done to a single run. */
export const addActions = (runs: Resource): void => {
  endpoint(
    runs,
    {
      id: 'cancelRun',
      method: 'post',
      path: '/runs/:id/cancel',
      summary: 'Cancel a run, and the runs that it started',
      description: 'An ended run stays as it is. Messages on their way are still sent.',
      role: 'editor',
      noun: 'run',
      idempotent: true,
      answers: { 200: runBody },
    },
    async ({ tx, principal: { accountId }, id }) => {
      await cancelRun(tx, { accountId, runId: id, reason: 'cancelled' });
      return showRun(found('run', await findRun(tx.sql, accountId, id)));
    },
  );
  endpoint(
    runs,
    {
      id: 'retryRun',
      method: 'post',
      path: '/runs/:id/retry',
      summary: 'Retry a failed run',
      description: 'Enters the block once more.',
      role: 'editor',
      noun: 'run',
      idempotent: true,
      answers: { 200: runBody },
      refusals: {
        409: 'For a run that has not failed, one whose call may have been carried out, and when the contact is in the flow again.',
      },
    },
    async ({ tx, principal: { accountId }, id }) => {
      await retryRun(tx, { accountId, runId: id });
      return showRun(found('run', await findRun(tx.sql, accountId, id)));
    },
  );
};
