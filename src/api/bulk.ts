import { z } from 'zod';
import { idOf } from '../shared/codec.ts';
import { RequestError, type ErrorCode } from '../shared/errors.ts';
import type { EventTransaction } from '../shared/facts/tell.ts';
import { showId, type ListedNoun } from '../shared/ids.ts';
import { inLine } from '../shared/platform/bulkhead/asker.ts';
import type { WebhookScope } from '../shared/webhooks/queries.ts';
import { endpoint } from './endpoint.ts';
import type { ApiDeps } from './http.ts';
import { withCause } from './idempotency.ts';
import { lineOfThing } from './lines.ts';
import { createListShares } from './lists-of-bodies.ts';
import type { Operation, Resource } from './resource.ts';

/** The most things that one request changes. */
const bulkAtMost = 100;

/** No further thing is changed after this time, in ms: the client would be gone before all are. */
const enoughMs = 20_000;

const outcomes = ['done', 'unchanged', 'refused', 'not_reached'] as const;

const outcome = z.object({
  id: z.string(),
  outcome: z.enum(outcomes),
  error: z.object({ code: z.string(), message: z.string() }).optional().meta({ description: 'Why it was refused.' }),
});

type Outcome = z.infer<typeof outcome>;

/** What became of each thing. */
const bulkResult = z
  .object({
    data: z.array(outcome).meta({
      description:
        'In the order of `ids`. `unchanged`: it was so already. `not_reached`: the request took too long, or there was no room; ask again for these.',
    }),
  })
  .meta({ id: 'BulkResult' });

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
    asked: { accountId: string; scope: WebhookScope; id: string; body: z.output<Body> },
  ) => Promise<boolean>;
};

/**
 * Adds an operation that does the same to up to a hundred things. Each has a transaction of its own, so that no lock is held for long and one
 * refusal stops no other. The request counts as so many, and accounts share the slots.
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
    description:
      `${description} Answers what became of each: a refusal stops no other. Counts as a request for each id.`.trim(),
    body,
    answers: { 200: bulkResult },
  } as const;
  endpoint(resource, operation, async ({ ctx, principal: { accountId }, scope, body: asked }) => {
    const ids = [...new Set(asked.ids)];
    if (ids.length > 1) await ctx.state.spend?.(ids.length - 1);
    const changeOne = async (id: string): Promise<boolean> =>
      inLine(await lineOfThing(deps.db, { accountId, noun, id }), () =>
        deps.transact(async (tx) => change(await withCause(tx, ctx), { accountId, scope, id, body: asked })),
      );
    const data = await shares.take({ accountId, key: accountId }, () => changeEach(ids, changeOne));
    return { data: data.map((one) => ({ ...one, id: showId(noun, one.id) })) };
  });
};

/** Changes one after the other. What is not reached in time is left as it is. */
const changeEach = async (ids: readonly string[], change: (id: string) => Promise<boolean>): Promise<Outcome[]> => {
  const beganAtMs = performance.now();
  const data: Outcome[] = [];
  for (const id of ids) {
    const isOver = data.at(-1)?.outcome === 'not_reached' || performance.now() - beganAtMs > enoughMs;
    data.push({ id, ...(isOver ? { outcome: 'not_reached' } : await outcomeOf(() => change(id))) });
  }
  return data;
};

const outcomeOf = async (change: () => Promise<boolean>): Promise<Omit<Outcome, 'id'>> => {
  try {
    return { outcome: (await change()) ? 'done' : 'unchanged' };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message } = error;
    return ofTheMoment.includes(code) ? { outcome: 'not_reached' } : { outcome: 'refused', error: { code, message } };
  }
};
