import { z } from 'zod';
import { definitionBody } from '../../../shared/flows/schema.ts';
import { found } from '../../../shared/errors.ts';
import { parseId } from '../../../shared/ids.ts';
import {
  createScenario,
  deleteScenario,
  getScenario,
  listScenarios,
  replaceScenario,
} from '../../../shared/runs/scenarios/manage.ts';
import {
  newScenario,
  scenarioBody,
  scenarioLimits,
  scenarioNoun,
  scenarioRequest,
  scenarioResult,
  scenarioToRun,
  showScenario,
  showScenarioToAgent,
  type ScenarioRow,
} from '../../../shared/runs/scenarios/schema.ts';
import { hideRequests } from '../../../shared/runs/simulator/schema.ts';
import { endpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../http.ts';
import { listOf, shortListQuery, showShortPage } from '../../lists.ts';
import type { Principal } from '../../principal.ts';
import type { Resource } from '../../resource.ts';
import { mayAs, requireRole } from '../../roles.ts';
import { runScenario } from './run-scenario.ts';
import { readWalked } from './simulate.ts';

const params = z.object({ scenario: z.string().meta({ description: 'The id of a scenario of the flow.' }) });

const readScenarioId = ({ scenario }: z.output<typeof params>): string =>
  found('scenario', parseId(scenarioNoun, scenario));

const refusals = {
  409: `For a name that is taken, and when the flow has ${scenarioLimits.scenarios} scenarios.`,
};

/** What a flow is tried with, and what is expected then. */
export const addScenarios = (flows: Resource, deps: ApiDeps): void => {
  addReading(flows, deps);
  addWriting(flows, deps);
  endpoint(
    flows,
    {
      id: 'runFlowScenario',
      method: 'post',
      path: '/flows/:id/scenarios/:scenario/run',
      params,
      summary: 'Run a scenario',
      description: 'Simulates the draft or a version and lists unmet expectations. Changes nothing.',
      role: 'agent',
      noun: 'flow',
      ...definitionBody,
      body: scenarioToRun,
      answers: { 200: scenarioResult },
      refusals: {
        403: '`definition` needs the role editor.',
        422: 'The request is not valid, or the draft has errors: then `details` have every issue.',
      },
    },
    async ({ principal, id, params: named, body }) => {
      const { accountId } = principal;
      const scenario = await getScenario(deps.db, { accountId, id, scenarioId: readScenarioId(named) });
      if (body?.definition) requireRole('editor', principal);
      const walked = await readWalked(deps, { accountId, id }, body ?? {});
      const result = await runScenario(deps, { accountId, id }, { scenario, walked });
      if (mayAs('editor', principal)) return result;
      return { ...result, simulation: result.simulation && hideRequests(result.simulation) };
    },
  );
};

const showTo = (principal: Principal, row: ScenarioRow) =>
  mayAs('editor', principal) ? showScenario(row) : showScenarioToAgent(row);

const addReading = (flows: Resource, deps: ApiDeps): void => {
  endpoint(
    flows,
    {
      id: 'listFlowScenarios',
      method: 'get',
      path: '/flows/:id/scenarios',
      summary: 'List the scenarios of a flow, newest first',
      role: 'agent',
      noun: 'flow',
      query: shortListQuery,
      answers: { 200: listOf(scenarioBody) },
    },
    ({ principal, id, query }) => {
      const { accountId } = principal;
      return showShortPage(
        query,
        (page) => deps.reads(accountId, (sql) => listScenarios(sql, { accountId, id }, page)),
        (row) => showTo(principal, row),
      );
    },
  );
  endpoint(
    flows,
    {
      id: 'getFlowScenario',
      method: 'get',
      path: '/flows/:id/scenarios/:scenario',
      params,
      summary: 'Read a scenario',
      role: 'agent',
      noun: 'flow',
      answers: { 200: scenarioBody },
    },
    async ({ principal, id, params: named }) => {
      const { accountId } = principal;
      return showTo(principal, await getScenario(deps.db, { accountId, id, scenarioId: readScenarioId(named) }));
    },
  );
};

const addWriting = (flows: Resource, deps: ApiDeps): void => {
  endpoint(
    flows,
    {
      id: 'createFlowScenario',
      method: 'post',
      path: '/flows/:id/scenarios',
      summary: 'Add a scenario to a flow',
      description: 'Publishing the flow runs it: one that fails is a warning.',
      role: 'editor',
      noun: 'flow',
      idempotent: true,
      ...scenarioRequest,
      body: newScenario,
      answers: { 201: scenarioBody },
      refusals,
    },
    async ({ tx, principal: { accountId }, id, body }) =>
      showScenario(await createScenario(tx, { accountId, id }, body)),
  );
  endpoint(
    flows,
    {
      id: 'replaceFlowScenario',
      method: 'put',
      path: '/flows/:id/scenarios/:scenario',
      params,
      summary: 'Replace a scenario',
      role: 'editor',
      noun: 'flow',
      ...scenarioRequest,
      body: newScenario,
      answers: { 200: scenarioBody },
      refusals,
    },
    async ({ principal: { accountId }, id, params: named, body }) => {
      const key = { accountId, id, scenarioId: readScenarioId(named) };
      return showScenario(await deps.transact((tx) => replaceScenario(tx, key, body)));
    },
  );
  endpoint(
    flows,
    {
      id: 'deleteFlowScenario',
      method: 'delete',
      path: '/flows/:id/scenarios/:scenario',
      params,
      summary: 'Delete a scenario',
      role: 'editor',
      noun: 'flow',
      answers: { 204: null },
    },
    ({ principal: { accountId }, id, params: named }) =>
      deps.transact((tx) => deleteScenario(tx, { accountId, id, scenarioId: readScenarioId(named) })),
  );
};
