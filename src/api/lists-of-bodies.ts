import { z } from 'zod';
import { invalid, statusByCode, type Problem } from '../shared/errors.ts';
import type { EventTransaction } from '../shared/facts/tell.ts';
import { inLine } from '../shared/platform/bulkhead/asker.ts';
import { createShares, type Shares } from '../shared/platform/bulkhead/shares.ts';
import type { ApiContext, ApiDeps } from './http.ts';
import { idempotently, isKeyed } from './idempotency.ts';
import { errorBody } from './middleware/errors.ts';
import type { ListLimits, Parsed } from './parse.ts';

/** Lists that an operation handles at once, each with a connection. An account that is alone has four of them, see `createBulkhead`. */
const listsAtOnce = 10;

/** Shares an operation's lists among accounts. */
export const createListShares = (): Shares => createShares({ total: listsAtOnce });

type Handling = {
  items: readonly Parsed<unknown>[];
  /** Of a good answer. */
  status: number;
  shares: Pick<Shares, 'take'>;
  /** The line of a body's transaction; see `inLine`. */
  lineOf: (body: unknown) => string | undefined;
  /** Answers undefined, with nothing done, for a body that needs a transaction. */
  direct: (body: unknown) => Promise<unknown>;
  handle: (tx: EventTransaction, body: unknown) => Promise<unknown>;
};

/**
 * Handles the bodies of a list in their order and answers what came of each. It counts as so many requests, of which one is counted already. With
 * an Idempotency-Key all of them are one transaction, which keeps the answer; otherwise each commits by itself. Throws `rate_limited`, with
 * nothing done, and what `handle` throws.
 */
export const answerList = async (
  ctx: ApiContext,
  deps: Pick<ApiDeps, 'transact' | 'db' | 'secrets'>,
  { items, status, shares, lineOf, direct, handle }: Handling,
): Promise<void> => {
  if (items.length > 1) ctx.state.spend?.(items.length - 1);
  const { accountId } = ctx.state.principal;
  await shares.take({ accountId, key: accountId }, async () => {
    if (isKeyed(ctx)) {
      const work = (tx: EventTransaction) => inTurn(items, status, (body) => handle(tx, body));
      return idempotently(ctx, deps, { status, work });
    }
    const alone = (body: unknown) =>
      inLine(lineOf(body), async () => (await direct(body)) ?? deps.transact((tx) => handle(tx, body)));
    ctx.body = await inTurn(items, status, alone);
    ctx.status = status;
  });
};

/** A bad body has its problems in the place of an answer, and spoils no other. */
const inTurn = async (
  items: readonly Parsed<unknown>[],
  status: number,
  handle: (body: unknown) => Promise<unknown>,
): Promise<{ data: object[] }> => {
  const data: object[] = [];
  for (const item of items) {
    const outcome = item.ok ? Object(await handle(item.data)) : showProblems(item.problems);
    data.push({ status: item.ok ? status : statusByCode.invalid_request, ...outcome });
  }
  return { data };
};

const showProblems = (problems: readonly Problem[]) => {
  const { code, message, details } = invalid(problems);
  return { error: { code, message, details } };
};

/** The schema of a body that may be a list. */
export const oneOrList = (body: z.ZodType, { most }: ListLimits) => z.union([body, z.array(body).min(1).max(most)]);

/** The schema of the answer to either. */
export const answerToEither = (status: number, answer: z.ZodObject) =>
  z.union([
    answer,
    z.object({
      data: z
        .array(
          z.union([
            answer.extend({ status: z.literal(status) }),
            z.object({
              status: z.literal(statusByCode.invalid_request),
              error: errorBody.shape.error.omit({ request_id: true }),
            }),
          ]),
        )
        .meta({ description: 'For a list: each result, in the same order.' }),
    }),
  ]);
