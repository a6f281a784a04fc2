import type { Sql } from '../../../src/shared/platform/db/connect.ts';
import { newUuid } from '../../../src/shared/ids.ts';

// ---- What no writer makes, and why tests need it.

type StoredFlow = { accountId: string; name?: string; status: string; draftUses?: string[]; versions?: string[][] };

/** A flow by what it needs alone: one need has to be tried in each state. The last of its versions is in force. Answers its UUID. */
export const insertFlowByUses = async (
  sql: Sql,
  { accountId, name = 'Shirts', status, draftUses = [], versions = [] }: StoredFlow,
): Promise<string> => {
  const id = newUuid();
  await sql`
    insert into flows (id, account_id, name, status, version, draft, draft_uses)
    values (${id}, ${accountId}, ${name}, ${status}, ${versions.length || null}, '{}', ${draftUses})`;
  for (const [index, uses] of versions.entries())
    await sql`
      insert into flow_versions (flow_id, version, account_id, definition, uses, one_active)
      values (${id}, ${index + 1}, ${accountId}, '{}', ${uses}, true)`;
  return id;
};

/** A contact that is in a version of a flow, and stays there: nothing carries its run. Answers the run's UUID. */
export const insertOpenRun = async (
  sql: Sql,
  { accountId, contactId, flowId, version }: { accountId: string; contactId: string; flowId: string; version: number },
): Promise<string> => {
  const id = newUuid();
  await sql`
    insert into runs (id, account_id, contact_id, flow_id, version, root_run_id, one_active, sweep_at)
    values (${id}, ${accountId}, ${contactId}, ${flowId}, ${version}, ${id}, false, 'infinity')`;
  return id;
};

/** Ends such a run. */
export const endOpenRun = async (sql: Sql, id: string): Promise<void> => {
  await sql`update runs set status = 'completed', ended_at = now(), sweep_at = null where id = ${id}`;
};

/** What retention does with a run that has ended. */
export const deleteRun = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from runs where id = ${id}`;
};

/** So many flows that say nothing: an account comes near its bound. */
export const insertFlows = async (sql: Sql, accountId: string, count: number): Promise<void> => {
  await sql`
    insert into flows (account_id, name, draft) select ${accountId}, 'Many', '{}' from generate_series(1, ${count}::int)`;
};

/** As if a flow had been published so often, each time as it was the first time. */
export const insertVersions = async (
  sql: Sql,
  flowId: string,
  { from, to }: { from: number; to: number },
): Promise<void> => {
  await sql`
    insert into flow_versions (flow_id, version, account_id, definition, one_active)
    select flow_id, number, account_id, definition, one_active
    from flow_versions, generate_series(${from}::int, ${to}::int) as number where flow_id = ${flowId} and version = 1`;
  await sql`update flows set version = ${to} where id = ${flowId}`;
};

/** The latest version of a flow was published before any kind of block had another meaning than its first. */
export const publishedBefore = async (sql: Sql, flowId: string): Promise<void> => {
  await sql`
    update flow_versions set block_versions = '{}'
    where flow_id = ${flowId} and version = (select version from flows where id = ${flowId})`;
};

/** A scenario as no request stores it: whoever runs it meets a fault. */
export const breakScenario = async (sql: Sql, id: string): Promise<void> => {
  await sql`update flow_scenarios set simulation = '{}' where id = ${id}`;
};
