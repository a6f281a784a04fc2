import type { Context } from 'koa';
import type { SessionClient } from '../shared/accounts/sessions.ts';
import type { RequestState } from './http.ts';

/** What a session's list tells it by: as much of the User-Agent as names browser and system. */
const maxUserAgent = 200;

/** Where a session is used from, as its user is shown it. */
export const sessionClient = (ctx: Context & { state: RequestState }): SessionClient => ({
  address: ctx.state.clientAddress ?? null,
  userAgent:
    ctx
      .get('user-agent')
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, maxUserAgent) || null,
});
