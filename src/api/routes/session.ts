import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { sessionBody, showSession, signInBody } from '../../shared/accounts/schema.ts';
import { createSession, deleteSession, findUserByPassword, sessionLifetimeMs } from '../../shared/accounts/sessions.ts';
import { RequestError } from '../../shared/errors.ts';
import { networkOf } from '../middleware/client-address.ts';
import { createRouter, endpoint, type ApiContext, type ApiDeps, type ApiRouter } from '../http.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '../session-cookie.ts';

/** Tries of sign-in in a quarter of an hour: one person's for an account, a whole office's for an address. */
const windowSeconds = 15 * 60;
const triesPerEmail = 10;
const triesPerAddress = 100;

/** Signing in to the dashboard and out of it. */
export const sessionRoutes = ({ db, config }: ApiDeps): ApiRouter => {
  const router = createRouter();
  const byAddress = new RateLimiterMemory({ points: triesPerAddress, duration: windowSeconds });
  const byEmail = new RateLimiterMemory({ points: triesPerEmail, duration: windowSeconds });

  // Before the body is read: what is wrong with it is not found out for nothing.
  router.post('/session', async (ctx, next) => {
    await countTry(ctx, byAddress, networkOf(ctx.state.clientAddress ?? ''));
    await next();
  });
  endpoint(
    router,
    {
      method: 'post',
      path: '/session',
      summary: 'Sign in',
      description: 'Sets the session cookie. One answer for an unknown e-mail address and a wrong password.',
      body: signInBody,
      answers: { 200: sessionBody },
    },
    async (ctx, { body }) => {
      const email = body.email.toLowerCase();
      // Counted before the password is looked at, so that guesses made at the same time are counted, too.
      await countTry(ctx, byEmail, email);
      const user = await findUserByPassword(db, body);
      if (!user) throw new RequestError('unauthorized', 'E-mail address or password is wrong.');
      await byEmail.delete(email);
      setSessionCookie(ctx, config, { token: await createSession(db, user.userId), lifetimeMs: sessionLifetimeMs });
      ctx.body = showSession(user);
    },
  );
  endpoint(router, { method: 'delete', path: '/session', summary: 'Sign out', answers: { 204: null } }, async (ctx) => {
    const token = readSessionCookie(ctx);
    if (token !== undefined) await deleteSession(db, token);
    clearSessionCookie(ctx, config);
    ctx.status = 204;
  });
  return router;
};

const countTry = async (ctx: ApiContext, limiter: RateLimiterMemory, key: string): Promise<void> => {
  try {
    await limiter.consume(key);
  } catch (refused) {
    // The library rejects with its result, not with an error, when nothing is left.
    if (!(refused instanceof RateLimiterRes)) throw refused;
    ctx.set('Retry-After', String(Math.max(1, Math.ceil(refused.msBeforeNext / 1000))));
    throw new RequestError('rate_limited', 'Too many tries to sign in; wait a while.');
  }
};
