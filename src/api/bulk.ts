import { z } from 'zod';
import { idOf } from '../shared/codec.ts';
import { RequestError, type ErrorCode } from '../shared/errors.ts';
import type { EventTransaction } from '../shared/facts/tell.ts';
import { showId, type ListedNoun } from '../shared/ids.ts';
import { inLine } from '../shared/platform/bulkhead/asker.ts';
import type { WebhookScope } from '../shared/webhooks/queries.ts';
import { bulkResult, keepOutcomes, type Answer, type Outcome } from './bulk-outcomes.ts';
import { endpoint } from './endpoint.ts';
import type { ApiDeps } from './http.ts';
import { markReplayed, withCause } from './idempotency.ts';
import { lineOfThing } from './lines.ts';
import { createListShares } from './lists-of-bodies.ts';
import type { Operation, Resource } from './resource.ts';

/** The most things that one request changes. */
const bulkAtMost = 100;

/** No further thing is changed after this time, in ms: the client would be gone before all are. */
const enoughMs = 20_000;

/** Refusals that are about the moment, and not about the thing: those after it would be refused as well. */
const ofTheMoment: readonly ErrorCode[] = ['rate_limited', 'unavailable'];

/** The ids of a bulk request, read to their UUIDs. */
export const idsOf = (noun: ListedNoun) =>
  z
    .array(idOf(noun, `a ${noun}`))
    .min(1)
    .max(bulkAtMost)
    .meta({ description: `Up to ${bulkAtMost}. One that is given twice counts once.` });

type Bulk<Body extends z.ZodType<{ ids: string[] }>> = Pick<Operation, 'id' | 'path' | 'summary' | 'description'> & {
  role: 'agent' | 'editor';
  /** Of the ids. */
  noun: ListedNoun;
  body: Body;
  /** Changes one thing, whose id is a UUID. Answers false where it was so already. Throws what refuses it. */
  change: (
    tx: EventTransaction,
    asked: { accountId: string; byUserId: string | undefined; scope: WebhookScope; id: string; body: z.output<Body> },
  ) => Promise<boolean>;
};

/**
 * Adds an operation that does the same to up to a hundred things. Each has a transaction of its own, so that no lock is held for long and one
 * refusal stops no other. The request counts as so many, and accounts share the slots. An Idempotency-Key keeps what became of each.
 */
export const addBulk = <const Body extends z.ZodType<{ ids: string[] }>>(
  resource: Resource,
  deps: ApiDeps,
  { noun, body, change, description = '', ...declared }: Bulk<Body>,
): void => {
  const shares = createListShares();
  const operation = {
    ...declared,
    method: 'post',
    idempotent: 'in_parts',
    description:
      `${description} Answers the result of each. One refusal does not stop the others. Each id counts as a request.`.trim(),
    body,
    answers: { 200: bulkResult },
  } as const;
  endpoint(resource, operation, async ({ ctx, principal: { accountId, userId: byUserId }, scope, body: asked }) => {
    const ids = [...new Set(asked.ids)];
    const begun = ids.map((id): Outcome => ({ id: showId(noun, id), outcome: 'not_reached' }));
    const kept = await keepOutcomes(ctx, deps, begun);
    const known = (await kept?.find()) ?? begun;
    const left = known.filter(isLeft).length;
    if (left === 0) {
      markReplayed(ctx);
      return { data: known };
    }
    if (left > 1) ctx.state.spend?.(left - 1);
    const changeIn = async (tx: EventTransaction, id: string): Promise<Answer> => {
      const isChanged = await change((await withCause(tx, ctx)).inBulk(), {
        accountId,
        byUserId,
        scope,
        id,
        body: asked,
      });
      return { outcome: isChanged ? 'done' : 'unchanged' };
    };
    const changeOne = async (at: number, id: string): Promise<Answer> =>
      inLine(await lineOfThing(deps.db, { accountId, noun, id }), () =>
        kept
          ? kept.changeOnce(at, (tx) => orRefusal(() => tx.savepoint((inner) => changeIn(inner, id))))
          : deps.transact((tx) => changeIn(tx, id)),
      );
    const data = await shares.take({ accountId, key: accountId }, async () => {
      await kept?.claim();
      return changeEach(known, (at) => changeOne(at, ids[at] ?? ''));
    });
    return { data };
  });
};

const isLeft = ({ outcome }: Outcome): boolean => outcome === 'not_reached';

/** Changes those that are left, one after the other. What is not reached in time stays left. */
const changeEach = async (known: readonly Outcome[], change: (at: number) => Promise<Answer>): Promise<Outcome[]> => {
  const beganAtMs = performance.now();
  const data: Outcome[] = [];
  for (const [at, one] of known.entries()) {
    const isOver = data.some(isLeft) || performance.now() - beganAtMs > enoughMs;
    data.push(isOver || !isLeft(one) ? one : { ...one, ...(await orRefusal(() => change(at))) });
  }
  return data;
};

const orRefusal = async (change: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message } = error;
    return ofTheMoment.includes(code) ? { outcome: 'not_reached' } : { outcome: 'refused', error: { code, message } };
  }
};
