import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { RequestError, statusByCode, type ConflictWith, type ErrorCode, type Problem } from '../../shared/errors.ts';
import { exampleId } from '../../shared/ids.ts';
import { messageBody } from '../../shared/messages/schema.ts';
import type { Logger } from '../../shared/platform/log.ts';
import type { RequestState } from '../http.ts';
import { NoSlot } from '../../shared/platform/bulkhead/shares.ts';
import { codeOf } from '../../shared/platform/error-code.ts';
import { problemCodes } from '../../shared/platform/say-issue.ts';

const problem = z.object({
  path: z.string(),
  message: z.string(),
  severity: z
    .enum(['error', 'warning'])
    .optional()
    .meta({ description: 'Only for issues of a flow, like block_id and hint.' }),
  code: z
    .string()
    .optional()
    .meta({
      description: `The kind of the problem in a 422: ${problemCodes.join(', ')}; for the last, read the message. Issues of a flow have their own codes.`,
      example: 'required',
    }),
  block_id: z.string().nullish(),
  hint: z.string().nullish(),
});

const conflictWith = z
  .object({
    id: z.string().meta({ example: exampleId('contact') }),
    key: z.string().nullable().meta({
      description: "The request's field that collides with it; null if none does.",
      example: 'email',
    }),
  })
  .meta({
    description:
      'For a 409 caused by another resource: the one that exists, is in progress, or needs the one to delete; the first of several.',
  });

/** The body of every 4xx and 5xx. */
export const errorBody = z
  .object({
    error: z.object({
      code: z.string().meta({ example: 'invalid_request' }),
      message: z.string(),
      details: z.array(problem).optional(),
      conflict_with: conflictWith.optional(),
      answer: messageBody.optional().meta({ description: 'For `answered_meanwhile`: what the other user answered.' }),
      request_id: z.string(),
    }),
  })
  .meta({ id: 'Error' });

type Refusal = {
  code: ErrorCode;
  message: string;
  details?: readonly Problem[] | undefined;
  conflictWith?: ConflictWith | undefined;
  answer?: z.infer<typeof messageBody>;
};

/** Turns whatever is thrown below into the error envelope, and a request that nothing answered into 404. */
export const errors =
  (log: Logger): Middleware<RequestState> =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined)
        throw new RequestError('not_found', 'No such path. GET /openapi.json at BASE_URL lists all paths.');
    } catch (error) {
      // An answer that is under way cannot be changed. Koa ends it.
      if (ctx.headerSent) throw error;
      if (isHangUp(error)) return hangUp(ctx, log);
      if (!(error instanceof RequestError || error instanceof NoSlot))
        log.error({ request_id: ctx.state.requestId, err: error }, 'api.error');
      const refusal = refusalOf(error);
      if (comesBack.has(refusal.code) && !ctx.res.hasHeader('Retry-After')) ctx.set('Retry-After', '5');
      ctx.status = statusByCode[refusal.code];
      ctx.body = showError(refusal, ctx.state.requestId);
    }
  };

const refusalOf = (error: unknown): Refusal => {
  if (error instanceof RequestError) return error;
  if (error instanceof NoSlot) return noSlot[error.taken];
  return isDatabaseAway(error) ? away : { code: 'internal_error', message: 'Internal error.' };
};

/** Codes of requests that may be sent again unchanged. A limiter says by itself when. */
export const comesBack: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'unavailable']);

/** A write that found no slot among those under way. */
const noSlot: Record<NoSlot['taken'], Refusal> = {
  line: {
    code: 'rate_limited',
    message: 'Too many requests change the same thing at the same time. Send them one after the other.',
  },
  account: {
    code: 'rate_limited',
    message: 'The account has too many changes in progress. Try again when some are done.',
  },
  all: { code: 'unavailable', message: 'Too many changes are in progress. Try again in a moment.' },
};

const away: Refusal = { code: 'unavailable', message: 'The database does not answer now. Try again in a moment.' };

/** Codes of postgres.js when there is no connection, and of PostgreSQL while it starts, stops, is too slow or gives up. */
const isDatabaseAway = (error: unknown): boolean =>
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|57P0[123]|57014|53300|40P01|40001)$/.test(
    codeOf(error) ?? '',
  );

/** Whether the client has gone in the middle of its request: nobody is at fault, and nobody is there to be answered. */
const isHangUp = (error: unknown): boolean =>
  codeOf(error) === 'ECONNRESET' && error instanceof Error && error.message === 'aborted';

const hangUp = (ctx: Context, log: Logger): void => {
  log.debug({ request_id: ctx.state.requestId }, 'api.hung_up');
  ctx.respond = false;
};

/** The error envelope: `{"error":{code,message,details?,conflict_with?,request_id}}`. */
export const showError = (
  { code, message, details, conflictWith: other, answer }: Refusal,
  requestId: string,
): z.infer<typeof errorBody> => ({
  error: {
    code,
    message,
    ...(details && { details: [...details] }),
    ...(other && { conflict_with: other }),
    ...(answer && { answer }),
    request_id: requestId,
  },
});
