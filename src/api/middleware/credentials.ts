import type { Middleware } from 'koa';
import { findKeyHolder } from '../../shared/accounts/api-keys.ts';
import { findSessionUser } from '../../shared/accounts/sessions.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Door } from '../doors.ts';
import type { ApiDeps, ApiState } from '../http.ts';
import { sessionClient } from '../session-client.ts';
import { readSessionCookie } from '../session-cookie.ts';
import { topicsOf } from '../../shared/facts/topics.ts';

type Guard = Middleware<ApiState>;

/** `Authorization: Bearer <API key>`, for everything below {api_url} (specification 5.2). */
export const bearer =
  (deps: ApiDeps): Guard =>
  async (ctx, next) => {
    const [, value] = /^Bearer +(\S+) *$/i.exec(ctx.get('authorization')) ?? [];
    const holder = await findHolder(deps, value);
    if (!holder) {
      ctx.set(
        'WWW-Authenticate',
        value === undefined ? 'Bearer realm="parley"' : 'Bearer realm="parley", error="invalid_token"',
      );
      throw unauthorized('a valid API key as "Authorization: Bearer <API_KEY>"');
    }
    ctx.state.principal = holder;
    await next();
  };

/** `X-ACCESS-TOKEN: <API key>`, for {base_url}/api (specification 5.1). */
export const accessToken =
  (deps: ApiDeps): Guard =>
  async (ctx, next) => {
    const holder = await findHolder(deps, ctx.get('x-access-token') || undefined);
    if (!holder) {
      ctx.set('WWW-Authenticate', 'AccessToken realm="parley"');
      throw unauthorized('a valid API key as "X-ACCESS-TOKEN"');
    }
    ctx.state.principal = holder;
    await next();
  };

/** Finds the key by its hash, so that no comparison of secrets takes a telling time. */
const findHolder = async ({ db, tellTopics }: ApiDeps, value: string | undefined) => {
  if (value === undefined || !/^[\x21-\x7e]{1,200}$/.test(value)) return undefined;
  return findKeyHolder(db, value, (accountId) => tellTopics(topicsOf([accountId], 'api-keys')));
};

const unauthorized = (wanted: string) => new RequestError('unauthorized', `This needs ${wanted}.`);

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The dashboard's cookie. Requests that change something, signing in included, must come from the dashboard's own pages (Origin). Only operations
 * that are open to anyone need no session.
 */
export const session = ({ db, config }: ApiDeps, { prefix, resources }: Pick<Door, 'prefix' | 'resources'>): Guard => {
  const open = new Set(
    resources
      .flatMap(({ operations }) => operations)
      .filter(({ role }) => role === 'anyone')
      .map(({ method, path }) => `${method.toUpperCase()} ${prefix}${path}`),
  );
  return async (ctx, next) => {
    if (!safeMethods.has(ctx.method) && ctx.get('origin') !== config.baseUrl) {
      throw new RequestError('forbidden', `This takes requests from ${config.baseUrl} only.`);
    }
    const token = readSessionCookie(ctx, config);
    const user = token === undefined ? undefined : await findSessionUser(db, token, sessionClient(ctx));
    if (user) {
      const { accountId, plan, userId, sessionId, role } = user;
      ctx.state.principal = { accountId, plan, userId, sessionId, role };
      ctx.state.signedIn = user;
    } else if (!open.has(`${ctx.method} ${ctx.path}`)) {
      ctx.set('WWW-Authenticate', 'Cookie realm="parley"');
      throw new RequestError('unauthorized', 'Sign in first.');
    }
    await next();
  };
};
