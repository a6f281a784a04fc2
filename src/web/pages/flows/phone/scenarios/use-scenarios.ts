import { useState } from 'react';
import { client, type Schemas } from '../../../../api/client.ts';
import { invalidate } from '../../../../api/query-client.ts';
import { useList } from '../../../../parts/use-list.ts';
import { useBuilder } from '../../builder/builder-context.ts';
import type { AnyDefinition } from '../../definition-text.ts';

export type Scenario = Schemas['Scenario'];
export type Result = Schemas['ScenarioResult'];

/** What a scenario came to, and with which definition. */
type Ran = { definition: AnyDefinition; result: Result };

/** As many as a flow may have. */
const most = 50;

/** The scenarios of the flow, and the results of those that ran on the draft as it is now. */
export const useScenarios = () => {
  const { flowId, definition } = useBuilder();
  const { rows, error, retry } = useList('/flows/{id}/scenarios', { id: flowId, limit: most });
  const [ran, setRan] = useState<ReadonlyMap<string, Ran>>(new Map());
  const [running, setRunning] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<unknown>();

  /** Runs them one after the other, for the server does so as well. */
  const run = async (scenarios: readonly Scenario[]): Promise<void> => {
    setFailure(undefined);
    setRunning(scenarios.map(({ id }) => id));
    try {
      for (const { id } of scenarios) {
        const params = { path: { id: flowId, scenario: id } };
        const { data } = await client.POST('/flows/{id}/scenarios/{scenario}/run', { params, body: { definition } });
        if (data) setRan((now) => new Map(now).set(id, { definition, result: data }));
        setRunning((now) => now.filter((other) => other !== id));
      }
    } catch (refused) {
      setFailure(refused);
    }
    setRunning([]);
  };

  const replace = async (scenario: Pick<Scenario, 'id'>, body: Schemas['NewScenario']): Promise<void> => {
    await client.PUT('/flows/{id}/scenarios/{scenario}', {
      params: { path: { id: flowId, scenario: scenario.id } },
      body,
    });
    setRan((now) => new Map([...now].filter(([id]) => id !== scenario.id)));
    await invalidate('/flows');
  };

  return {
    rows,
    error,
    retry,
    failure,
    /** The result of a scenario on the draft as it is now; undefined where it was not run since the last edit. */
    resultOf: (id: string): Result | undefined => {
      const last = ran.get(id);
      return last?.definition === definition ? last.result : undefined;
    },
    isRunning: (id: string): boolean => running.includes(id),
    isAnyRunning: running.length > 0,
    run,
    create: async (body: Schemas['NewScenario']): Promise<void> => {
      await client.POST('/flows/{id}/scenarios', { params: { path: { id: flowId } }, body });
      await invalidate('/flows');
    },
    replace,
    rename: async (scenario: Scenario, name: string): Promise<void> => replace(scenario, { ...asBody(scenario), name }),
    remove: async ({ id }: Scenario): Promise<void> => {
      await client.DELETE('/flows/{id}/scenarios/{scenario}', { params: { path: { id: flowId, scenario: id } } });
      await invalidate('/flows');
    },
  };
};

export type Scenarios = ReturnType<typeof useScenarios>;

/** A stored scenario as it was sent: what the server has stored it takes again. */
const asBody = ({ name, simulation, expected }: Scenario): Schemas['NewScenario'] => ({
  name,
  simulation: { ...simulation },
  expected: { ...expected },
});
