import { findAccountZone } from '../../shared/accounts/queries.ts';
import { withGenericPlan } from '../../shared/platform/db/plans.ts';
import { createPoints } from '../../shared/statistics/points.ts';
import { readStatistics } from '../../shared/statistics/read.ts';
import { showStatistics, statisticsBody, statisticsQuery } from '../../shared/statistics/schema.ts';
import { askedInstant } from '../../shared/times/storable-time.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';

/** How deliveries went over time, for the dashboard. */
export const statisticsRoutes = (deps: ApiDeps): Resource => {
  const statistics = createResource(deps, {
    tag: { name: 'Statistics', description: 'How events and deliveries went over time.' },
    doors: ['dashboard'],
  });
  endpoint(
    statistics,
    {
      id: 'getStatistics',
      method: 'get',
      path: '/statistics',
      summary: 'Count events, deliveries and attempts by hour or day',
      description:
        'Of webhooks of both variants, kept for half a year. A webhook that is not of the account has no statistics: all numbers are 0.',
      role: 'agent',
      query: statisticsQuery,
      answers: { 200: statisticsBody },
    },
    async ({ principal: { accountId }, query: { from, to, interval, time_zone, webhook_id, event } }) => {
      const timeZone = time_zone ?? (await findAccountZone(deps.db, accountId));
      const times = { from: askedInstant(from, timeZone), to: askedInstant(to, timeZone) };
      const { starts, end } = createPoints({ ...times, interval, timeZone }, new Date());
      const asked = { accountId, webhookId: webhook_id, eventName: event };
      const read = await deps.reads(accountId, (db) =>
        withGenericPlan(db, (sql) => readStatistics(sql, asked, { starts, end })),
      );
      const shown = { from: starts[0] ?? end, to: end, interval, timeZone, isOfWebhook: webhook_id !== undefined };
      return showStatistics(shown, read);
    },
  );
  return statistics;
};
