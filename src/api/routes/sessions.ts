import { endedSessionsBody, sessionEntryBody, showSessionEntry } from '../../shared/accounts/schema.ts';
import { endSession, endSessions, listSessions } from '../../shared/accounts/sessions.ts';
import { notFound } from '../../shared/errors.ts';
import { createRouter, endpoint, pathId, type ApiDeps, type ApiRouter } from '../http.ts';
import { listOf, listQuery, sendList } from '../lists.ts';
import { requireUser } from '../roles.ts';

/** The signed-in user's own sessions: to see where one is signed in, and to end what one does not know. */
export const ownSessionRoutes = ({ db }: ApiDeps): ApiRouter => {
  const router = createRouter('Session');
  endpoint(
    router,
    {
      id: 'listSessions',
      method: 'get',
      path: '/sessions',
      summary: 'List your sessions',
      description: 'Those that are not over, with where they were used last.',
      query: listQuery,
      answers: { 200: listOf(sessionEntryBody) },
    },
    async (ctx, { query: { limit, cursor } }) => {
      const { userId, sessionId } = requireUser(ctx.state.principal);
      const rows = await listSessions(db, userId, { limit: limit + 1, before: cursor });
      sendList(ctx, rows, limit, (row) => showSessionEntry(row, { isCurrent: row.id === sessionId }));
    },
  );
  endpoint(
    router,
    {
      id: 'endOtherSessions',
      method: 'delete',
      path: '/sessions',
      summary: 'End all your other sessions',
      description: 'All but the one that asks.',
      answers: { 200: endedSessionsBody },
    },
    async (ctx) => {
      const { userId, sessionId } = requireUser(ctx.state.principal);
      ctx.body = { ended: await endSessions(db, userId, { but: sessionId }) };
    },
  );
  endpoint(
    router,
    {
      id: 'endSession',
      method: 'delete',
      path: '/sessions/:id',
      summary: 'End one of your sessions',
      answers: { 204: null },
    },
    async (ctx) => {
      const { userId } = requireUser(ctx.state.principal);
      if (!(await endSession(db, userId, pathId(ctx, 'session')))) throw notFound('session');
      ctx.status = 204;
    },
  );
  return router;
};
