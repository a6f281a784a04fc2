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
import { orAbort } from '../../../shared/platform/deadline.ts';
import type { ApiDeps } from '../../http.ts';
import { simulateFlow, type FlowKey, type Walked } from './simulate.ts';

/**
 * Runs a scenario over a definition that is valid. What it names and is no longer there is a difference. Throws what tells of load, and not of the
 * scenario.
 */
export const runScenario = async (
  deps: ApiDeps,
  key: FlowKey,
  { scenario, walked }: { scenario: ScenarioRow; walked: Walked },
): Promise<ScenarioResult> => {
  const { simulation: body, expected } = readScenario(scenario);
  try {
    const simulation = await simulateFlow(deps, key, { ...walked, body, spend: async () => undefined });
    // How far it came within its time depends on the machine.
    if (simulation.waiting === 'limit' && simulation.reason === 'time_limit')
      return { passed: null, differences: [], simulation };
    const differences = findDifferences(expected, simulation);
    return { passed: differences.length === 0, differences, simulation };
  } catch (error) {
    if (!isOfScenario(error)) throw error;
    const actual = [error.message, ...detailsOf(error)].join(' ');
    return { passed: false, differences: [{ path: 'simulation', expected: null, actual }], simulation: null };
  }
};

const isOfScenario = (error: unknown): error is RequestError =>
  error instanceof RequestError && (error.code === 'not_found' || error.code === 'invalid_request');

const detailsOf = ({ details = [] }: RequestError): string[] =>
  details.slice(0, 3).flatMap(({ path, message }) => (message === undefined ? [] : [`${path} ${message}.`]));

/** How long a publish waits for scenarios, in ms. */
const publishWaitsMs = 5_000;

/**
 * Runs the scenarios of a flow before it is published, until the signal aborts. Answers a warning for each that fails, and one for those that were
 * not run. Never throws: a publish does not fail for its scenarios.
 */
export const checkScenarios = async (
  deps: ApiDeps,
  key: FlowKey,
  { walked, signal = AbortSignal.timeout(publishWaitsMs) }: { walked: Walked; signal?: AbortSignal },
): Promise<Issue[]> => {
  const tryIt = createTry(deps, signal);
  const listed = await tryIt(() =>
    deps.reads(key.accountId, (sql) => listScenarios(sql, key, { limit: scenarioLimits.scenarios })),
  );
  if (listed.type !== 'done') return [warn('scenarios_not_run', 'the scenarios were not run')];
  const issues: Issue[] = [];
  let notRun = 0;
  for (const [index, scenario] of listed.result.entries()) {
    const tried = await tryIt(() => runScenario(deps, key, { scenario, walked }));
    if (tried.type === 'busy') {
      notRun += listed.result.length - index;
      break;
    }
    if (tried.type === 'failed' || tried.result.passed === null) notRun += 1;
    else {
      const [first] = tried.result.differences;
      if (first)
        issues.push(warn('scenario_failed', `scenario ${JSON.stringify(scenario.name)}: ${sayDifference(first)}`));
    }
  }
  return notRun === 0 ? issues : [...issues, warn('scenarios_not_run', sayNotRun(notRun))];
};

const sayNotRun = (count: number): string =>
  count === 1 ? '1 scenario was not run' : `${count} scenarios were not run`;

/** `busy`: too much is under way, or there is no time left; what follows would find the same. `failed`: it is a fault, and it is logged. */
type Tried<Result> = { type: 'done'; result: Result } | { type: 'busy' } | { type: 'failed' };

const createTry =
  ({ log }: Pick<ApiDeps, 'log'>, signal: AbortSignal) =>
  async <Result>(work: () => Promise<Result>): Promise<Tried<Result>> => {
    if (signal.aborted) return { type: 'busy' };
    try {
      return { type: 'done', result: await orAbort(work(), signal) };
    } catch (error) {
      if (signal.aborted || error instanceof RequestError) return { type: 'busy' };
      log.error({ err: error }, 'scenario.not_run');
      return { type: 'failed' };
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
