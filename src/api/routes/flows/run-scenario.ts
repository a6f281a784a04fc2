import { RequestError } from '../../../shared/errors.ts';
import type { Issue } from '../../../shared/flows/definition/issues.ts';
import { findDifferences, sayDifference } from '../../../shared/runs/scenarios/compare.ts';
import { listScenarios } from '../../../shared/runs/scenarios/manage.ts';
import {
  readScenario,
  scenarioLimits,
  type ScenarioResult,
  type ScenarioRow,
} from '../../../shared/runs/scenarios/schema.ts';
import type { ApiDeps } from '../../http.ts';
import { simulateFlow, type FlowKey, type Walked } from './simulate.ts';

/** Runs a scenario over a definition that is valid. What it names and is no longer there is a difference. */
export const runScenario = async (
  deps: ApiDeps,
  key: FlowKey,
  { scenario, walked }: { scenario: ScenarioRow; walked: Walked },
): Promise<ScenarioResult> => {
  const { simulation: body, expected } = readScenario(scenario);
  try {
    const simulation = await simulateFlow(deps, key, { ...walked, body, spend: async () => undefined });
    const differences = findDifferences(expected, simulation);
    return { passed: differences.length === 0, differences, simulation };
  } catch (error) {
    if (!(error instanceof RequestError) || error.code === 'unavailable') throw error;
    const actual = [error.message, ...detailsOf(error)].join(' ');
    return { passed: false, differences: [{ path: 'simulation', expected: null, actual }], simulation: null };
  }
};

const detailsOf = ({ details = [] }: RequestError): string[] =>
  details.slice(0, 3).flatMap(({ path, message }) => (message === undefined ? [] : [`${path} ${message}.`]));

/** How long a publish waits for scenarios, in ms. */
const publishWaitsMs = 5_000;

/** Runs the scenarios of a flow before it is published. Answers a warning for each that fails, and one for those that there was no time for. */
export const checkScenarios = async (
  deps: ApiDeps,
  key: FlowKey,
  { walked, waitsMs = publishWaitsMs }: { walked: Walked; waitsMs?: number },
): Promise<Issue[]> => {
  const scenarios = await deps.reads(key.accountId, (sql) =>
    listScenarios(sql, key, { limit: scenarioLimits.scenarios }),
  );
  const endsAt = performance.now() + waitsMs;
  const issues: Issue[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const result = performance.now() < endsAt ? await tryScenario(deps, key, { scenario, walked }) : undefined;
    if (!result) return [...issues, warn('scenarios_not_run', `${scenarios.length - index} scenarios were not run`)];
    const [first] = result.differences;
    if (first)
      issues.push(warn('scenario_failed', `scenario ${JSON.stringify(scenario.name)}: ${sayDifference(first)}`));
  }
  return issues;
};

/** Undefined while too much of the account waits. A publish does not fail for its scenarios. */
const tryScenario = async (...asked: Parameters<typeof runScenario>): Promise<ScenarioResult | undefined> => {
  try {
    return await runScenario(...asked);
  } catch (error) {
    if (error instanceof RequestError) return undefined;
    throw error;
  }
};

const warn = (code: string, message: string): Issue => ({
  severity: 'warning',
  code,
  block_id: null,
  path: '',
  message,
  hint: null,
});
