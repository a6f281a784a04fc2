import type { ParameterizedContext } from 'koa';
import type { Config } from '../shared/config.ts';

/** The cookie's name. */
export const sessionCookie = 'parley_session';

/** The session's token in the request, or undefined. */
export const readSessionCookie = (ctx: ParameterizedContext): string | undefined =>
  ctx.cookies.get(sessionCookie) || undefined;

/** Hands the browser its session: out of reach of scripts, not sent along by other sites' forms, over https only where we are. */
export const setSessionCookie = (
  ctx: ParameterizedContext,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { token, lifetimeMs }: { token: string; lifetimeMs: number },
): void => {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${sessionCookie}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(lifetimeMs / 1000)}${secure}`,
  );
};

/** Takes the session back from the browser. */
export const clearSessionCookie = (ctx: ParameterizedContext, config: Pick<Config, 'baseUrl'>): void =>
  setSessionCookie(ctx, config, { token: '', lifetimeMs: 0 });
