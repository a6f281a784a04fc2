import { findAccountZone } from '../../shared/accounts/queries.ts';
import { withGenericPlan } from '../../shared/platform/db/plans.ts';
import { createPoints } from '../../shared/statistics/points.ts';
import { readActivity } from '../../shared/statistics/read-activity.ts';
import { readStatistics } from '../../shared/statistics/read.ts';
import { showStatistics, statisticsBody, statisticsQuery } from '../../shared/statistics/schema.ts';
import { askedInstant } from '../../shared/times/storable-time.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';

/** What happened over time, for the dashboard. */
export const statisticsRoutes = (deps: ApiDeps): Resource => {
  const statistics = createResource(deps, {
    tag: { name: 'Statistics', description: 'Counts over time.' },
    doors: ['dashboard'],
  });
  endpoint(
    statistics,
    {
      id: 'getStatistics',
      method: 'get',
      path: '/statistics',
      summary: 'Count messages, contacts, runs, events and deliveries by hour or day',
      description:
        'Kept for 13 months. Deliveries are of webhooks of both variants. A webhook that is not of the account has no statistics: all numbers are 0.',
      role: 'agent',
      query: statisticsQuery,
      answers: { 200: statisticsBody },
    },
    async ({ principal: { accountId }, query: { from, to, interval, time_zone, webhook_id, event, compare } }) => {
      const timeZone = time_zone ?? (await findAccountZone(deps.db, accountId));
      const times = { from: askedInstant(from, timeZone), to: askedInstant(to, timeZone) };
      const { starts, end, before } = createPoints({ ...times, interval, timeZone }, new Date());
      const asked = { accountId, webhookId: webhook_id, eventName: event };
      const isOfAll = webhook_id === undefined && event === undefined;
      const shown = { from: starts[0] ?? end, to: end, interval, timeZone, isOfWebhook: webhook_id !== undefined };
      return deps.reads(accountId, (db) =>
        withGenericPlan(db, async (sql) => {
          const compared = compare === 'true' ? before : undefined;
          const points = { starts, end, before: compared };
          // Both are sent at once, so that the connection is waited for half as often.
          const [deliveries, activity] = await Promise.all([
            readStatistics(sql, asked, points),
            isOfAll ? readActivity(sql, accountId, points) : undefined,
          ]);
          return showStatistics(shown, { deliveries, activity }, compared);
        }),
      );
    },
  );
  return statistics;
};
