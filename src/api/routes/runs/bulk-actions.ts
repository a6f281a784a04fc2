import { z } from 'zod';
import { found } from '../../../shared/errors.ts';
import { cancelRuns, retryRuns } from '../../../shared/runs/life/bulk.ts';
import { cancelRun } from '../../../shared/runs/life/cancel.ts';
import { retryRun } from '../../../shared/runs/life/retry.ts';
import { findRun } from '../../../shared/runs/queries.ts';
import { changedRunsBody, runsToChange } from '../../../shared/runs/schema.ts';
import { exampleId } from '../../../shared/ids.ts';
import { addBulk, idsOf } from '../../bulk.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

const bulk = {
  description:
    'All runs, or those at one block: up to 200, or as many as fit in twenty seconds. Repeat while `more` is true.',
  role: 'editor',
  body: runsToChange,
  answers: { 200: changedRunsBody },
  refusals: { 404: 'The account has no such flow.' },
} as const;

/** What is done to many runs: those of a flow, or those that are named. */
export const addBulkActions = (runs: Resource, deps: ApiDeps): void => {
  const { reads, transact } = deps;
  const depsOf = (accountId: string): Parameters<typeof cancelRuns>[0] => ({
    read: (select) => reads(accountId, select),
    transact,
  });
  endpoint(
    runs,
    {
      id: 'cancelRuns',
      method: 'post',
      path: '/runs/cancel',
      summary: 'Cancel the open runs of a flow',
      ...bulk,
    },
    ({ principal: { accountId }, body: { flow_id: flowId, block_id: blockId } }) =>
      cancelRuns(depsOf(accountId), { accountId, flowId, blockId }),
  );
  endpoint(
    runs,
    {
      id: 'retryRuns',
      method: 'post',
      path: '/runs/retry',
      summary: 'Retry the failed runs of a flow',
      ...bulk,
    },
    ({ principal: { accountId }, body: { flow_id: flowId, block_id: blockId } }) =>
      retryRuns(depsOf(accountId), { accountId, flowId, blockId }),
  );
  addBulk(runs, deps, {
    id: 'cancelRunsById',
    path: '/bulk/runs/cancel',
    summary: 'Cancel up to 100 runs, and the runs that they started',
    role: 'editor',
    noun: 'run',
    body: z.strictObject({ ids: idsOf('run') }).meta({ id: 'CancelRunsById', example: { ids: [exampleId('run')] } }),
    change: async (tx, { accountId, id: runId }) => {
      const { endedAt } = found('run', await findRun(tx.sql, accountId, runId));
      await cancelRun(tx, { accountId, runId, reason: 'cancelled' });
      return endedAt === null;
    },
  });
  addBulk(runs, deps, {
    id: 'retryRunsById',
    path: '/bulk/runs/retry',
    summary: 'Retry up to 100 failed runs',
    description: 'Refuses runs that have not failed, or whose contact is in the flow again.',
    role: 'editor',
    noun: 'run',
    body: z.strictObject({ ids: idsOf('run') }).meta({ id: 'RetryRunsById', example: { ids: [exampleId('run')] } }),
    change: async (tx, { accountId, id: runId }) => {
      await retryRun(tx, { accountId, runId });
      return true;
    },
  });
};
