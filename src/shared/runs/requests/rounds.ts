import type { Json } from '../../custom-fields/values.ts';
import { afterAttempt, type Port } from '../../external-requests/after-attempt.ts';
import { settleRequest, type LastRequest } from '../../external-requests/log.ts';
import type { MappedField } from '../../external-requests/map-response.ts';
import { addResults, fieldsOfResults, type Results } from '../../external-requests/results.ts';
import { fieldsOf } from '../../flows/blocks/fields.ts';
import { afterItem, listItems, type Item } from '../../flows/blocks/for-each.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import { scopeOf } from '../../flows/blocks/scope.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { SnapshotAtRequest } from './at-request.ts';

/** What a step with `for_each` has before it ends: its items, as they were when it began, and what their mappings have given. */
type StepItems = { list: readonly Json[]; results: Results };

/** By which a block is left, and what it writes. */
export type Answer = { port: Port; reason?: string | undefined; fields?: readonly MappedField[] };

/**
 * What a step asks next. `attempt`: a request, of this item where the block has `for_each`; `last` is the attempt of the same request before it.
 * `answer`: nothing is left to be asked.
 */
export type Round =
  | { type: 'attempt'; item?: Item; last: LastRequest | undefined }
  | { type: 'answer'; answer: Answer }
  | { type: 'unlisted'; message: string };

type AtStep = { snapshot: SnapshotAtRequest; config: ExternalRequest };

/** Finds what a step asks next, after its last attempt. The items of a list are read once, when the step makes its first request. */
export const findRound = async (
  sql: Sql,
  { snapshot, config }: AtStep,
  last: LastRequest | undefined,
): Promise<Round> => {
  if (!config.for_each) return { type: 'attempt', last };
  const { context } = snapshot;
  const known = await findItems(sql, snapshot);
  let list = known?.list;
  if (!list) {
    const listed = listItems(config.for_each, scopeOf(context));
    if (!listed.ok) return { type: 'unlisted', message: listed.message };
    list = listed.items;
    if (list.length === 0)
      return { type: 'answer', answer: { port: 'success', fields: fieldsOfResults(config, {}, fieldsOf(context)) } };
    await storeItems(sql, snapshot, { list, results: {} });
  }
  // An attempt that has a port was the last one of its item.
  const index = last ? (last.itemIndex ?? 0) + (last.port === null ? 0 : 1) : 0;
  const item = { index, value: list[index] ?? null };
  return { type: 'attempt', item, last: last?.port === null ? last : undefined };
};

/** What the request for an item came to. */
type EndedItem = { index: number; port: Port; reason?: string | undefined; fields: readonly MappedField[] };

/** The same, where the results take it; and what the block is left by, undefined where the next item follows. */
type TakenItem =
  | { port: Port; answer: Answer | undefined }
  | { port: 'error'; problem: string; answer: Answer | undefined };

/** Takes what an item came to into the results of its step, or ends the step's list. */
export const endItem = async (
  sql: Sql,
  { snapshot, config }: AtStep,
  { index, fields, ...ended }: EndedItem,
): Promise<TakenItem> => {
  const items = await findItems(sql, snapshot);
  if (!config.for_each || !items) throw new TypeError('the step has no items');
  const known = fieldsOf(snapshot.context);
  const { results, problem } = addResults(config, items.results, { mapped: fields, known });
  const taken =
    problem !== undefined && ended.port === 'success' ? { port: 'error' as const, reason: 'mapping', problem } : ended;
  const leaves = afterItem(config.for_each, { index, count: items.list.length }, taken);
  if (leaves) {
    await storeItems(sql, snapshot, null);
    return { ...taken, answer: { ...leaves, fields: fieldsOfResults(config, results, known) } };
  }
  await storeItems(sql, snapshot, { ...items, results });
  return { ...taken, answer: undefined };
};

export type Settled = { last: LastRequest | undefined; answer?: Answer };

/** Gives up a request of which nobody knows what became. It is made again where that does no harm, else it failed. */
export const settleLost = async (sql: Sql, { snapshot, config }: AtStep, last: LastRequest): Promise<Settled> => {
  const reason = 'outcome_unknown';
  const after = afterAttempt(config, last.number, { type: 'failed', reason, requestSent: true });
  const port = after.type === 'port' ? after.port : undefined;
  await settleRequest(sql, last.id, { state: 'unknown', reason, isRepeated: port === undefined, port });
  if (port === undefined) return { last };
  if (last.itemIndex === null) return { last, answer: { port, reason } };
  const ended = { index: last.itemIndex, port, reason, fields: [] };
  const { answer } = await endItem(sql, { snapshot, config }, ended);
  return { last: { ...last, port }, ...(answer && { answer }) };
};

const findItems = async (sql: Sql, { run, step }: SnapshotAtRequest): Promise<StepItems | undefined> => {
  const [row] = await sql<{ items: StepItems | null }[]>`
    select items from run_steps where run_id = ${run.id} and number = ${step.number}`;
  return row?.items ?? undefined;
};

const storeItems = async (sql: Sql, { run, step }: SnapshotAtRequest, items: StepItems | null): Promise<void> => {
  await sql`
    update run_steps set items = ${items && sql.json(items)} where run_id = ${run.id} and number = ${step.number}`;
};
