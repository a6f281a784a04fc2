import { z } from 'zod';
import type { EventTransaction } from '../shared/facts/tell.ts';
import { claimKey, findKnown, keepAnswer } from '../shared/platform/idempotency/keys.ts';
import type { ApiContext, ApiDeps } from './http.ts';
import { answerOf, keyedRequest } from './idempotency.ts';

const outcomes = ['done', 'unchanged', 'refused', 'not_reached'] as const;

const outcome = z.object({
  id: z.string(),
  outcome: z.enum(outcomes),
  error: z.object({ code: z.string(), message: z.string() }).optional().meta({ description: 'Why it was refused.' }),
});

export type Outcome = z.infer<typeof outcome>;

/** What became of a thing that is known. */
export type Answer = Omit<Outcome, 'id'>;

/** What became of each thing. */
export const bulkResult = z
  .object({
    data: z.array(outcome).meta({
      description:
        'In the order of `ids`. `unchanged`: nothing to change. `not_reached`: the request took too long, or there was no room; send these again, also with the same Idempotency-Key.',
    }),
  })
  .meta({ id: 'BulkResult' });

/** What the Idempotency-Key of a bulk request keeps. */
type KeptOutcomes = {
  /** What became of each thing by now. Throws 422 for a key of another request. */
  find: () => Promise<Outcome[] | undefined>;
  /** Takes the key before anything is changed. Throws 422 for a key of another request. */
  claim: () => Promise<void>;
  /**
   * Changes the thing at this place of `ids` in a transaction that keeps what became of it, or answers what the key already keeps. A repeated
   * request thus changes nothing twice, and a twin waits for the transaction.
   */
  changeOnce: (at: number, change: (tx: EventTransaction) => Promise<Answer>) => Promise<Answer>;
};

/** Keeps the outcomes of a request that has an Idempotency-Key; undefined for one without. `begun` has all things, none of them reached. */
export const keepOutcomes = async (
  ctx: ApiContext,
  { db, transact, secrets }: Pick<ApiDeps, 'db' | 'transact' | 'secrets'>,
  begun: readonly Outcome[],
): Promise<KeptOutcomes | undefined> => {
  const request = await keyedRequest(ctx);
  if (!request) return undefined;
  const read = (known: Awaited<ReturnType<typeof findKnown>>): Outcome[] | undefined =>
    known && bulkResult.parse(JSON.parse(answerOf(known).body)).data;
  const keep = ({ sql }: EventTransaction, data: readonly Outcome[]): Promise<void> =>
    keepAnswer({ sql, secrets }, request, { status: 200, body: JSON.stringify({ data }) });
  return {
    find: async () => read(await findKnown({ sql: db, secrets }, request)),
    claim: () =>
      transact(async (tx) => {
        if (!read(await claimKey({ sql: tx.sql, secrets }, request))) await keep(tx, begun);
      }),
    changeOnce: (at, change) =>
      transact(async (tx) => {
        const known = read(await claimKey({ sql: tx.sql, secrets }, request)) ?? begun;
        const one = known[at];
        if (!one) throw new TypeError(`nothing at ${at}`);
        if (one.outcome !== 'not_reached') return one;
        const changed = { ...one, ...(await change(tx)) };
        await keep(tx, known.with(at, changed));
        return changed;
      }),
  };
};
