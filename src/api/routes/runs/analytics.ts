import { getFlow } from '../../../shared/flows/manage.ts';
import { readBlockAnalytics } from '../../../shared/runs/analytics/read-blocks.ts';
import { analyticsQuery, flowAnalyticsBody, showAnalytics } from '../../../shared/runs/analytics/schema.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

/** How runs went through the blocks of a flow in the last seven days. */
export const addAnalytics = (runs: Resource, deps: ApiDeps): void =>
  endpoint(
    runs,
    {
      id: 'getFlowAnalytics',
      method: 'get',
      path: '/flows/:id/analytics',
      summary: 'Read how runs went through the blocks of a flow',
      description:
        'In the last seven days, by when something happened, whenever the run began: how often each block was entered, left by each port, failed, timed out and cancelled, who is there now, and the median stay. Counted as runs move, to the second.',
      role: 'agent',
      noun: 'flow',
      query: analyticsQuery,
      answers: { 200: flowAnalyticsBody },
    },
    async ({ principal: { accountId }, id: flowId, query: { version } }) => {
      await getFlow(deps.db, { accountId, id: flowId });
      return showAnalytics(
        await deps.reads(accountId, (sql) => readBlockAnalytics(sql, { accountId, flowId, version })),
      );
    },
  );
