import { readInboxCounts } from '../../shared/inbox/counts.ts';
import { inboxCountsBody } from '../../shared/inbox/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';

/** The views of agents. */
export const inboxRoutes = (deps: ApiDeps): Resource => {
  const inbox = createResource(deps, {
    tag: { name: 'Inbox', description: 'Conversations as agents see them.' },
    doors: ['v1', 'dashboard'],
  });
  endpoint(
    inbox,
    {
      id: 'getInboxCounts',
      method: 'get',
      path: '/inbox/counts',
      summary: 'Count the conversations of each view',
      role: 'agent',
      answers: { 200: inboxCountsBody },
    },
    ({ principal: { accountId, userId } }) =>
      deps.reads(accountId, (sql) => readInboxCounts(sql, { accountId, userId })),
  );
  return inbox;
};
