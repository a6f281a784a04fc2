import type { ParameterizedContext } from 'koa';
import { sessionLifetimeMs } from '../shared/accounts/sessions.ts';
import type { Config } from '../shared/platform/config.ts';

type Base = Pick<Config, 'baseUrl'>;

/**
 * The cookie's name. Its prefix under https makes browsers accept it only from this host over https, so that neither another host of the domain
 * nor an attacker on plain http can put a session into a browser.
 */
export const sessionCookieName = ({ baseUrl }: Base): string =>
  isHttps(baseUrl) ? '__Host-parley_session' : 'parley_session';

const isHttps = (url: string): boolean => url.startsWith('https:');

/** The session's token in the request, or undefined. */
export const readSessionCookie = (ctx: ParameterizedContext, config: Base): string | undefined =>
  ctx.cookies.get(sessionCookieName(config)) || undefined;

/** Gives the browser its session, which lasts as long as that of the database. */
export const setSessionCookie = (ctx: ParameterizedContext, config: Base, token: string): void =>
  setCookie(ctx, config, { token, lifetimeMs: sessionLifetimeMs });

/** Removes the session from the browser. */
export const clearSessionCookie = (ctx: ParameterizedContext, config: Base): void =>
  setCookie(ctx, config, { token: '', lifetimeMs: 0 });

/** Out of reach of scripts, not sent with forms of other sites, and only over https where we have it. */
const setCookie = (
  ctx: ParameterizedContext,
  config: Base,
  { token, lifetimeMs }: { token: string; lifetimeMs: number },
): void => {
  const secure = isHttps(config.baseUrl) ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${sessionCookieName(config)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(lifetimeMs / 1000)}${secure}`,
  );
};
