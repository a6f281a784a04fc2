import { readAskedTime } from '../../../shared/accounts/asked-time.ts';
import { getFlow } from '../../../shared/flows/manage.ts';
import { countOpenRuns } from '../../../shared/runs/counts.ts';
import {
  flowCountsBody,
  flowStatsBody,
  showBlockCount,
  showBlockStats,
  statsQuery,
} from '../../../shared/runs/schema.ts';
import { readStats } from '../../../shared/runs/stats.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

const weekMs = 7 * 86_400_000;

/** How the runs of a flow went, of the past week where the caller names no other time, and where those are that are open. */
export const addStats = (runs: Resource, deps: ApiDeps): void => {
  endpoint(
    runs,
    {
      id: 'getFlowStats',
      method: 'get',
      path: '/flows/:id/stats',
      summary: 'Read the statistics of a flow and its blocks',
      role: 'agent',
      noun: 'flow',
      query: statsQuery,
      answers: { 200: flowStatsBody },
    },
    async ({ principal: { accountId }, id: flowId, query }) => {
      await getFlow(deps.db, { accountId, id: flowId });
      const { blocks, ...counts } = await deps.reads(accountId, async (sql) => {
        const since = (await readAskedTime(sql, accountId, query.since)) ?? new Date(Date.now() - weekMs);
        return readStats(sql, { accountId, flowId, since });
      });
      return { ...counts, blocks: blocks.map(showBlockStats) };
    },
  );
  endpoint(
    runs,
    {
      id: 'getFlowCounts',
      method: 'get',
      path: '/flows/:id/counts',
      summary: 'Count the open runs at each block of a flow',
      role: 'agent',
      noun: 'flow',
      answers: { 200: flowCountsBody },
    },
    async ({ principal: { accountId }, id: flowId }) => {
      await getFlow(deps.db, { accountId, id: flowId });
      const blocks = await deps.reads(accountId, (sql) => countOpenRuns(sql, flowId));
      return { blocks: blocks.map(showBlockCount) };
    },
  );
};
