import { z } from 'zod';
import { endedSessionsBody, sessionEntryBody, showSessionEntry } from '../../shared/accounts/schema.ts';
import { endSession, endSessions, listSessions } from '../../shared/accounts/sessions.ts';
import { notFound } from '../../shared/errors.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { requireUser } from '../roles.ts';
import { clearSessionCookie } from '../session-cookie.ts';
import { sessionTag } from './session.ts';
import { changed } from '../../shared/facts/changed.ts';

/** The signed-in user's own sessions: to see where one is signed in, and to end what one does not know. */
export const ownSessionRoutes = (deps: ApiDeps): Resource => {
  const { db, autocommit, config } = deps;
  const sessions = createResource(deps, { tag: sessionTag, doors: ['dashboard'] });
  endpoint(
    sessions,
    {
      id: 'listSessions',
      method: 'get',
      path: '/sessions',
      summary: 'List your sessions',
      description: 'Open sessions, with the address and browser that last used them.',
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
      id: 'endSessions',
      method: 'delete',
      path: '/sessions',
      summary: 'Sign out everywhere',
      description: 'Ends all your sessions: `others` but the one that makes the request, or `all`.',
      role: 'agent',
      query: z.strictObject({ which: z.enum(['others', 'all']).default('others') }),
      answers: { 200: endedSessionsBody },
    },
    async ({ ctx, principal, query: { which } }) => {
      const { userId, sessionId } = requireUser(principal);
      const ended = await autocommit(({ sql, tell }) => {
        tell(changed(principal.accountId, 'sessions'));
        return endSessions(sql, userId, which === 'all' ? {} : { but: sessionId });
      });
      // Only now: with its session alive a browser must not look signed out.
      if (which === 'all') clearSessionCookie(ctx, config);
      return { ended };
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
      const { userId } = requireUser(principal);
      const isEnded = await autocommit(({ sql, tell }) => {
        tell(changed(principal.accountId, 'sessions'));
        return endSession(sql, userId, id);
      });
      if (!isEnded) throw notFound('session');
    },
  );
  return sessions;
};
