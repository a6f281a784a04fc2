import { findContact } from '../../../shared/contacts/queries.ts';
import { found } from '../../../shared/errors.ts';
import { withGenericPlan } from '../../../shared/platform/db/plans.ts';
import { listTimeline } from '../../../shared/timeline/list-timeline.ts';
import { timelineEntry } from '../../../shared/timeline/schema.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { listOf, shortListQuery, showShortPage } from '../../lists.ts';
import { mayAs } from '../../roles.ts';

/** What happened with a contact. */
export const addTimeline = (contacts: Resource, { reads, media: { linkTo } }: ApiDeps): void =>
  endpoint(
    contacts,
    {
      id: 'listTimeline',
      method: 'get',
      path: '/contacts/:id/timeline',
      summary: 'List the timeline of a contact, newest first',
      description:
        'Its messages, tags, orders and runs, and its other events as long as they are kept. Agents get no data of events.',
      role: 'agent',
      noun: 'contact',
      query: shortListQuery,
      answers: { 200: listOf(timelineEntry) },
    },
    ({ principal, id: contactId, query }) =>
      showShortPage(
        query,
        (page) =>
          reads(principal.accountId, (db) =>
            withGenericPlan(db, async (sql) => {
              found('contact', await findContact(sql, principal.accountId, contactId));
              return listTimeline(sql, { accountId: principal.accountId, contactId, linkTo }, page);
            }),
          ),
        ({ entry }) =>
          entry.type !== 'event' || mayAs('editor', principal)
            ? entry
            : { ...entry, event: { ...entry.event, data: null } },
      ),
  );
