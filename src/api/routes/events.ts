import { z } from 'zod';
import { readAskedTime } from '../../shared/accounts/asked-time.ts';
import { listDeliveries } from '../../shared/deliveries/queries.ts';
import { deliveryBody, showDelivery } from '../../shared/deliveries/schema.ts';
import { found } from '../../shared/errors.ts';
import { findEvent, listEvents } from '../../shared/events/queries.ts';
import { eventFilters, loggedEventBody, showLoggedEvent, type LoggedEventRow } from '../../shared/events/schema.ts';
import { withGenericPlan } from '../../shared/platform/db/plans.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { countedAtMost, countOf, countRows } from '../counts.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import type { Principal } from '../principal.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { mayAs } from '../roles.ts';

/** The most deliveries that an event is shown with. The delivery log pages through all. */
const deliveriesAtMost = 50;

const eventWithDeliveries = loggedEventBody
  .extend({
    deliveries: z.array(deliveryBody).meta({
      description: `Newest first, at most ${deliveriesAtMost}; \`GET /deliveries?event_id=\` pages through all.`,
    }),
  })
  .meta({ id: 'EventWithDeliveries' });

/** What has happened to the account's contacts. */
export const eventRoutes = ({ reads, workflowUrl, ...deps }: ApiDeps): Resource => {
  const events = createResource(deps, {
    tag: { name: 'Event log', description: 'Events of contacts, each with its deliveries.' },
    doors: ['v1', 'dashboard'],
  });
  endpoint(
    events,
    {
      id: 'listEvents',
      method: 'get',
      path: '/events',
      summary: 'List events, newest first',
      description: 'Kept as long as deliveries are. Agents get no data.',
      role: 'agent',
      query: listQuery.extend(eventFilters),
      answers: { 200: listOf(loggedEventBody) },
    },
    ({ principal, query: { limit, cursor, ...asked } }) =>
      showPage(
        { limit, cursor },
        (page) =>
          reads(principal.accountId, (db) =>
            withGenericPlan(db, async (sql) => {
              const { accountId } = principal;
              const filter = await readFilter(sql, accountId, asked);
              return listEvents(sql, accountId, { filter, page });
            }),
          ),
        showTo(principal),
      ),
  );
  endpoint(
    events,
    { ...countOf('events'), id: 'countEvents', path: '/events/count', query: z.strictObject(eventFilters) },
    ({ principal: { accountId }, query }) =>
      reads(accountId, (db) =>
        withGenericPlan(db, async (sql) => {
          const filter = await readFilter(sql, accountId, query);
          return countRows(sql, listEvents(sql, accountId, { filter, page: { limit: countedAtMost } }));
        }),
      ),
  );
  endpoint(
    events,
    {
      id: 'getEvent',
      method: 'get',
      path: '/events/:id',
      summary: 'Read an event with its deliveries',
      description: 'Agents get no data.',
      role: 'agent',
      noun: 'event',
      answers: { 200: eventWithDeliveries },
    },
    ({ principal, scope, id }) =>
      reads(scope.accountId, async (sql) => {
        const event = found('event', await findEvent(sql, scope.accountId, id));
        const deliveries = await listDeliveries(sql, scope, { eventId: id, limit: deliveriesAtMost });
        return { ...showTo(principal)(event), deliveries: deliveries.map((row) => showDelivery(row, workflowUrl)) };
      }),
  );
  return events;
};

type Asked = z.output<z.ZodObject<typeof eventFilters>>;

const readFilter = async (sql: Sql, accountId: string, { event, since, until }: Asked) => ({
  event,
  since: await readAskedTime(sql, accountId, since),
  until: await readAskedTime(sql, accountId, until),
});

/** An event as this asker may see it: an agent sees no bodies of deliveries, and so not what they tell. */
const showTo = (principal: Principal) => (row: LoggedEventRow) =>
  showLoggedEvent(mayAs('editor', principal) ? row : { ...row, data: null });
