import type { Context, Middleware } from 'koa';
import { statusByCode, type ErrorCode } from '../../shared/errors.ts';
import type { RequestState } from '../http.ts';
import { showError } from './errors.ts';

/**
 * Refuses a malformed head: a target that is no path, a Host that is no host (HTTP/1.0 needs none), or an expectation other than 100-continue,
 * which Node meets by itself. It runs before everything that reads the path, because Koa throws where the target is no url.
 */
export const checkHead = (): Middleware<RequestState> => async (ctx, next) => {
  const refusal = refusalOf(ctx);
  if (refusal) {
    ctx.status = statusByCode[refusal.code];
    ctx.body = showError(refusal, ctx.state.requestId);
    return;
  }
  await next();
};

const refusalOf = (ctx: Context): { code: ErrorCode; message: string } | undefined => {
  if (!ctx.originalUrl.startsWith('/')) {
    return { code: 'bad_request', message: 'The target of the request must be a path that begins with "/".' };
  }
  const host = ctx.get('host');
  const isLeftOut = host === '' && ctx.req.httpVersion === '1.0';
  // Koa's own may come from a proxy's header instead.
  if (!isLeftOut && ![host, ctx.host].every(isHost)) {
    return { code: 'bad_request', message: 'The Host header names no host.' };
  }
  if (!/^(100-continue)?$/i.test(ctx.get('expect'))) {
    return { code: 'expectation_failed', message: 'Of expectations, only 100-continue is met.' };
  }
  return undefined;
};

/** Whether this is a host, with a port or without; not a url of which only a part is the host. */
const isHost = (text: string): boolean => !/[/?#\\@\s]/.test(text) && URL.canParse(`http://${text}`);
