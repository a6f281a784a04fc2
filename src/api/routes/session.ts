import { sessionBody, showSession, signInBody } from '../../shared/accounts/schema.ts';
import { deleteSession } from '../../shared/accounts/sessions.ts';
import { found } from '../../shared/errors.ts';
import { signInLinkBody } from '../../shared/users/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { answerSignedIn } from '../open-session.ts';
import { clearSessionCookie, readSessionCookie } from '../session-cookie.ts';
import { createSignIn } from '../sign-in.ts';
import { changed } from '../../shared/facts/changed.ts';

/** Of all that has to do with signing in. */
export const sessionTag = { name: 'Session', description: 'Signing in and out, sessions and the password.' };

/** Signing in to the dashboard and out of it. */
export const sessionRoutes = (deps: ApiDeps): Resource => {
  const { autocommit, config, installation } = deps;
  const session = createResource(deps, { tag: sessionTag, doors: ['dashboard'] });
  const { countTry, signIn, signInByLink } = createSignIn(deps);
  endpoint(
    session,
    {
      id: 'signIn',
      method: 'post',
      path: '/session',
      summary: 'Sign in',
      description: 'Sets the session cookie. One answer for an unknown e-mail address and a wrong password.',
      role: 'anyone',
      before: countTry,
      body: signInBody,
      answers: { 200: sessionBody },
      refusals: { 401: 'Wrong e-mail or password.' },
    },
    async ({ ctx, body }) => answerSignedIn(ctx, deps, await signIn(ctx, body)),
  );
  endpoint(
    session,
    {
      id: 'signInByLink',
      method: 'post',
      path: '/session/link',
      summary: 'Sign in by a link',
      description:
        'The link that the first start prints, or `parley users sign-in-link`. It works once, within an hour. Sets the session cookie.',
      role: 'anyone',
      before: countTry,
      body: signInLinkBody,
      answers: { 200: sessionBody },
    },
    async ({ ctx, body }) => answerSignedIn(ctx, deps, await signInByLink(ctx, body.token)),
  );
  endpoint(
    session,
    {
      id: 'getSession',
      method: 'get',
      path: '/session',
      summary: 'Read the session',
      description: 'The same body as signing in. 401 without a session.',
      role: 'agent',
      answers: { 200: sessionBody },
    },
    async ({ ctx }) => showSession(found('session', ctx.state.signedIn), installation),
  );
  endpoint(
    session,
    {
      id: 'signOut',
      method: 'delete',
      path: '/session',
      summary: 'Sign out',
      role: 'agent',
      answers: { 204: null },
    },
    async ({ ctx, principal }) => {
      const token = readSessionCookie(ctx, config);
      if (token !== undefined)
        await autocommit(async ({ sql, tell }) => {
          await deleteSession(sql, token);
          tell(changed(principal.accountId, 'sessions'));
        });
      clearSessionCookie(ctx, config);
    },
  );
  return session;
};
