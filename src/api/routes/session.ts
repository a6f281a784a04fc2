import { sessionBody, showSession, signInBody } from '../../shared/accounts/schema.ts';
import { deleteSession, sessionLifetimeMs } from '../../shared/accounts/sessions.ts';
import { createRouter, endpoint, type ApiDeps, type ApiRouter } from '../http.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '../session-cookie.ts';
import { createSignIn } from '../sign-in.ts';

/** Signing in to the dashboard and out of it. */
export const sessionRoutes = ({ db, transact, config }: ApiDeps): ApiRouter => {
  const router = createRouter('Session');
  const { countTry, signIn } = createSignIn({ db, transact });

  endpoint(
    router,
    {
      id: 'signIn',
      method: 'post',
      path: '/session',
      summary: 'Sign in',
      security: 'none',
      idempotent: false,
      description: 'Sets the session cookie. One answer for an unknown e-mail address and a wrong password.',
      body: signInBody,
      answers: { 200: sessionBody },
    },
    async (ctx, { body }) => {
      const { user, token } = await signIn(ctx, body);
      setSessionCookie(ctx, config, { token, lifetimeMs: sessionLifetimeMs });
      ctx.body = showSession(user);
    },
    { before: countTry },
  );
  endpoint(
    router,
    { id: 'signOut', method: 'delete', path: '/session', summary: 'Sign out', answers: { 204: null } },
    async (ctx) => {
      const token = readSessionCookie(ctx, config);
      if (token !== undefined) await deleteSession(db, token);
      clearSessionCookie(ctx, config);
      ctx.status = 204;
    },
  );
  return router;
};
