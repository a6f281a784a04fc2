import { endedSessionsBody, sessionEntryBody, showSessionEntry } from '../../shared/accounts/schema.ts';
import { endSession, endSessions, listSessions } from '../../shared/accounts/sessions.ts';
import { notFound } from '../../shared/errors.ts';
import { createResource, endpoint, type Resource } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { requireUser } from '../roles.ts';
import { sessionTag } from './session.ts';

/** The signed-in user's own sessions: to see where one is signed in, and to end what one does not know. */
export const ownSessionRoutes = (deps: ApiDeps): Resource => {
  const { db } = deps;
  const sessions = createResource(deps, { tag: sessionTag, doors: ['dashboard'] });
  endpoint(
    sessions,
    {
      id: 'listSessions',
      method: 'get',
      path: '/sessions',
      summary: 'List your sessions',
      description: 'Those that are not over, with the address and browser that last used them.',
      role: 'agent',
      query: listQuery,
      answers: { 200: listOf(sessionEntryBody) },
    },
    async ({ principal, query }) => {
      const { userId, sessionId } = requireUser(principal);
      return showPage(
        query,
        (page) => listSessions(db, userId, page),
        (row) => showSessionEntry(row, { isCurrent: row.id === sessionId }),
      );
    },
  );
  endpoint(
    sessions,
    {
      id: 'endOtherSessions',
      method: 'delete',
      path: '/sessions',
      summary: 'End all your other sessions',
      description: 'The session that makes the request stays.',
      role: 'agent',
      answers: { 200: endedSessionsBody },
    },
    async ({ principal }) => {
      const { userId, sessionId } = requireUser(principal);
      return { ended: await endSessions(db, userId, { but: sessionId }) };
    },
  );
  endpoint(
    sessions,
    {
      id: 'endSession',
      method: 'delete',
      path: '/sessions/:id',
      summary: 'End one of your sessions',
      role: 'agent',
      noun: 'session',
      answers: { 204: null },
    },
    async ({ principal, id }) => {
      if (!(await endSession(db, requireUser(principal).userId, id))) throw notFound('session');
    },
  );
  return sessions;
};
