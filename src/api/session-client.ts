import type { Context } from 'koa';
import type { SessionClient } from '../shared/accounts/sessions.ts';
import type { RequestState } from './http.ts';

/** The part of the User-Agent that names browser and system, by which a list shows a session. */
const maxUserAgent = 200;

/** Where a session is used from, as its user sees it. */
export const sessionClient = (ctx: Context & { state: RequestState }): SessionClient => ({
  address: ctx.state.clientAddress ?? null,
  userAgent:
    ctx
      .get('user-agent')
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, maxUserAgent) || null,
});
