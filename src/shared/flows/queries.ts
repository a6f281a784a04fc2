import { addInTurn } from '../platform/db/add-in-turn.ts';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import { openRunsCap, type CountedFlowRow, type DraftDefinition, type FlowRow, type FlowStatus } from './schema.ts';

/** Which flow, of which account; ids are UUIDs. */
export type FlowKey = { accountId: string; id: string };

const columns = (sql: Sql) => sql`
  id, name, status, version, draft_revision, draft_revision is distinct from published_revision as draft_changed, published_at,
  created_at, updated_at`;

/** Adds a flow, with its draft and what that needs. */
export const insertFlow = async (
  sql: Sql,
  accountId: string,
  { name, definition, uses }: { name: string; definition: DraftDefinition; uses: readonly string[] },
): Promise<FlowRow> => {
  const [row] = await sql<[FlowRow]>`
    insert into flows (account_id, name, draft, draft_uses)
    values (${accountId}, ${name}, ${JSON.stringify(definition)}::text::jsonb, ${[...uses]})
    returning ${columns(sql)}`;
  return row;
};

/** How many flows an account has, and how many of them are not archived. No other transaction adds one until this one ends. */
export const countFlows = async (sql: Sql, accountId: string): Promise<{ all: number; unarchived: number }> => {
  await addInTurn(sql, 'flows', accountId);
  const [count] = await sql<[{ all: number; unarchived: number }]>`
    select count(*)::int as all, (count(*) filter (where status <> 'archived'))::int as unarchived
    from flows where account_id = ${accountId}`;
  return count;
};

/** The account's flow, or undefined. */
export const findFlow = async (sql: Sql, { accountId, id }: FlowKey): Promise<FlowRow | undefined> => {
  const [row] = await sql<FlowRow[]>`select ${columns(sql)} from flows where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The same, locked until the transaction ends. */
export const lockFlow = async (sql: Sql, { accountId, id }: FlowKey): Promise<FlowRow | undefined> => {
  const [row] = await sql<FlowRow[]>`
    select ${columns(sql)} from flows where account_id = ${accountId} and id = ${id} for no key update`;
  return row;
};

/** A page of the account's flows, newest first, with how many runs are open in each. */
export const listFlows = (
  sql: Sql,
  accountId: string,
  { status, ...page }: Page & { status?: FlowStatus | undefined },
): Promise<CountedFlowRow[]> => sql<CountedFlowRow[]>`
  select ${columns(sql)}, (select count(*)::int from (
    select from runs where flow_id = flows.id and ended_at is null order by block_id, id limit ${openRunsCap}) as open) as open_run_count
  from flows where account_id = ${accountId} ${status === undefined ? sql`` : sql`and status = ${status}`} ${pageOf(sql, page)}`;

/** Renames a flow. Undefined when the account has no such flow. */
export const renameFlow = async (sql: Sql, { accountId, id }: FlowKey, name: string): Promise<FlowRow | undefined> => {
  const [row] = await sql<FlowRow[]>`
    update flows set name = ${name}, updated_at = clock_timestamp() where account_id = ${accountId} and id = ${id}
    returning ${columns(sql)}`;
  return row;
};

/** Changes the state of a flow that is locked. */
export const setFlowStatus = async (sql: Sql, id: string, status: FlowStatus): Promise<FlowRow> => {
  const [row] = await sql<[FlowRow]>`
    update flows set status = ${status}, updated_at = clock_timestamp() where id = ${id} returning ${columns(sql)}`;
  return row;
};

/** The draft of a flow, with its revision. */
export type Draft = { revision: number; definition: DraftDefinition };

/** The same as it is stored, with what it needs. */
export type StoredDraft = Draft & { uses: string[] };

/** The draft of the account's flow, or undefined. */
export const findDraft = async (sql: Sql, { accountId, id }: FlowKey): Promise<StoredDraft | undefined> => {
  const [row] = await sql<StoredDraft[]>`
    select draft_revision as revision, draft as definition, draft_uses as uses from flows where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** Replaces the draft of a flow that is locked, unless it is the same. Answers its revision. */
export const updateDraft = async (
  sql: Sql,
  id: string,
  { definition, uses }: { definition: DraftDefinition; uses: readonly string[] },
): Promise<number> => {
  const [row] = await sql<[{ revision: number }]>`
    with changed as (
      update flows set draft = given.draft, draft_uses = ${[...uses]}, draft_revision = draft_revision + 1, updated_at = clock_timestamp()
      from (select ${JSON.stringify(definition)}::text::jsonb as draft) as given
      where id = ${id} and flows.draft <> given.draft
      returning draft_revision as revision)
    select revision from changed
    union all select draft_revision from flows where id = ${id} and not exists (select from changed)`;
  return row.revision;
};
