import { found, RequestError } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import type { Writer } from '../../facts/tell.ts';
import { lockFlow, type FlowKey } from '../../flows/queries.ts';
import { getFlow } from '../../flows/manage.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { withoutSecretHeaders } from './leave-out-secrets.ts';
import { scenarioLimits, type NewScenario, type ScenarioRow } from './schema.ts';

const columns = (sql: Sql) => sql`id, flow_id, name, simulation, expected, created_at, updated_at`;

/** A scenario of a flow of an account; ids are UUIDs. */
export type ScenarioKey = FlowKey & { scenarioId: string };

/** A page of the scenarios of a flow, newest first. Throws `not_found`. */
export const listScenarios = async (
  sql: Sql,
  key: FlowKey,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<ScenarioRow[]> => {
  await getFlow(sql, key);
  return sql<ScenarioRow[]>`
    select ${columns(sql)} from flow_scenarios
    where flow_id = ${key.id} ${before === undefined ? sql`` : sql`and id < ${before}`} order by id desc limit ${limit}`;
};

/** Throws `not_found`. */
export const getScenario = async (sql: Sql, { accountId, id, scenarioId }: ScenarioKey): Promise<ScenarioRow> => {
  const [row] = await sql<ScenarioRow[]>`
    select ${columns(sql)} from flow_scenarios
    where account_id = ${accountId} and flow_id = ${id} and id = ${scenarioId}`;
  return found('scenario', row);
};

/** Adds a scenario to a flow. Throws `not_found`, and `conflict` for a name that is taken and for one scenario too many. */
export const createScenario = async (
  { sql, tell }: Writer,
  key: FlowKey,
  { name, simulation, expected }: NewScenario,
): Promise<ScenarioRow> => {
  found('flow', await lockFlow(sql, key));
  const [count] = await sql<[{ count: number }]>`
    select count(*)::int as count from flow_scenarios where flow_id = ${key.id}`;
  if (count.count >= scenarioLimits.scenarios)
    throw new RequestError('conflict', `A flow has at most ${scenarioLimits.scenarios} scenarios.`);
  const [row] = await sql<ScenarioRow[]>`
    insert into flow_scenarios (account_id, flow_id, name, simulation, expected)
    values (${key.accountId}, ${key.id}, ${name}, ${asJson(sql, toStore(simulation))}, ${asJson(sql, expected)})
    on conflict do nothing returning ${columns(sql)}`;
  if (!row) throw nameTaken();
  await tell(changed(key.accountId, 'flows'));
  return row;
};

/** Replaces a scenario. Throws as `createScenario`. */
export const replaceScenario = async (
  { sql, tell }: Writer,
  key: ScenarioKey,
  { name, simulation, expected }: NewScenario,
): Promise<ScenarioRow> => {
  // The flow's lock orders writers, so that no name is taken in between.
  found('flow', await lockFlow(sql, key));
  await getScenario(sql, key);
  const [row] = await sql<ScenarioRow[]>`
    update flow_scenarios set name = ${name}, simulation = ${asJson(sql, toStore(simulation))}, expected = ${asJson(sql, expected)},
      updated_at = clock_timestamp()
    where id = ${key.scenarioId} and not exists (
      select from flow_scenarios o where o.flow_id = ${key.id} and lower(o.name) = lower(${name}) and o.id <> ${key.scenarioId})
    returning ${columns(sql)}`;
  if (!row) throw nameTaken();
  await tell(changed(key.accountId, 'flows'));
  return row;
};

/** Throws `not_found`. */
export const deleteScenario = async ({ sql, tell }: Writer, key: ScenarioKey): Promise<void> => {
  await getScenario(sql, key);
  await sql`delete from flow_scenarios where id = ${key.scenarioId}`;
  await tell(changed(key.accountId, 'flows'));
};

const nameTaken = () => new RequestError('conflict', 'The flow has a scenario of this name already.');

const toStore = (simulation: NewScenario['simulation']) => ({
  ...simulation,
  mocks: withoutSecretHeaders(simulation.mocks),
});

const asJson = (sql: Sql, value: object) => sql`${JSON.stringify(value)}::text::jsonb`;
