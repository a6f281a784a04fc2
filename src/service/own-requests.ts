import type { Sql } from '../shared/platform/db/connect.ts';
import { createLocalRequests, type LocalRequests } from '../shared/runs/requests/local-requests.ts';
import { watchRequests, type RequestWatch } from '../shared/runs/requests/watch-requests.ts';
import type { RunMetrics } from '../shared/runs/metrics.ts';
import { localRequestSlots, type WorkersOptions } from './workers.ts';

export type OwnRequests = { localRequests: LocalRequests; requestWatch: RequestWatch };

/** What the requests under way in a process share. One that leaves them to others makes none in its workflow tasks either. */
export const createOwnRequests = (
  sql: Sql,
  { queues, localOnly = [] }: Pick<WorkersOptions, 'queues'> & { localOnly?: WorkersOptions['localOnly'] | undefined },
  { requestPlaced }: Pick<RunMetrics, 'requestPlaced'>,
): OwnRequests => {
  const makesThem = queues.includes('flows') && !localOnly.includes('flows');
  return {
    localRequests: createLocalRequests({ total: makesThem ? localRequestSlots : 0, onPlaced: requestPlaced }),
    requestWatch: watchRequests(sql),
  };
};
