import type { Middleware } from 'koa';
import { z } from 'zod';
import { RequestError, statusByCode, type ErrorCode, type Problem } from '../../shared/errors.ts';
import type { Logger } from '../../shared/log.ts';
import type { RequestState } from '../http.ts';

/** The body of every 4xx and 5xx. */
export const errorBody = z
  .object({
    error: z.object({
      code: z.string().meta({ example: 'invalid_request' }),
      message: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      request_id: z.string(),
    }),
  })
  .meta({ id: 'Error' });

type Refusal = { code: ErrorCode; message: string; details?: readonly Problem[] | undefined };

/** Turns whatever is thrown below into the error envelope, and what nobody answered into 404. */
export const errors =
  (log: Logger): Middleware<RequestState> =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new RequestError('not_found', 'There is nothing here.');
    } catch (error) {
      // An answer under way cannot be changed any more; Koa ends it.
      if (ctx.headerSent) throw error;
      if (!(error instanceof RequestError)) log.error({ request_id: ctx.state.requestId, err: error }, 'api.error');
      const refusal: Refusal =
        error instanceof RequestError ? error : { code: 'internal_error', message: 'Internal error.' };
      ctx.status = statusByCode[refusal.code];
      ctx.body = showError(refusal, ctx.state.requestId);
    }
  };

/** The error envelope: `{"error":{code,message,details?,request_id}}`. */
export const showError = ({ code, message, details }: Refusal, requestId: string): z.infer<typeof errorBody> => ({
  error: { code, message, ...(details && { details: [...details] }), request_id: requestId },
});
