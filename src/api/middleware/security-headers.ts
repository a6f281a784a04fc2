import type { Middleware } from 'koa';

/** For answers that are data: kept by no cache, run by no page, framed by none. Pages set a policy of their own. */
export const securityHeaders = ({ https }: { https: boolean }): Middleware => {
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
  return async (ctx, next) => {
    ctx.set(headers);
    await next();
  };
};
