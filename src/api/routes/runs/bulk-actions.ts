import { cancelRuns, retryRuns } from '../../../shared/runs/life/bulk.ts';
import { changedRunsBody, runsToChange } from '../../../shared/runs/schema.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

const bulk = {
  description:
    'All of them or those at one block, 200 at a time, or as many as twenty seconds are enough for: ask again while `more` is true.',
  role: 'editor',
  body: runsToChange,
  answers: { 200: changedRunsBody },
  refusals: { 404: 'The account has no such flow.' },
} as const;

/** What is done to many runs of a flow. */
export const addBulkActions = (runs: Resource, { reads, transact }: ApiDeps): void => {
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
      summary: 'Have the failed runs of a flow go on where they failed',
      ...bulk,
    },
    ({ principal: { accountId }, body: { flow_id: flowId, block_id: blockId } }) =>
      retryRuns(depsOf(accountId), { accountId, flowId, blockId }),
  );
};
