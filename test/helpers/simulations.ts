import { expect } from 'vitest';
import { simulate } from '../../src/shared/runs/simulator/simulate.ts';
import type { Simulated, Simulation } from '../../src/shared/runs/simulator/simulation.ts';
import { aBlockContext } from './block-context.ts';
import { aDefinition } from './definitions.ts';
import type { FlowBlocks } from './live-flows.ts';

type Given = Partial<Omit<Simulation, 'now'>> & { blocks?: FlowBlocks; rest?: object; now?: string };

/** A simulation of a flow of these blocks, with a contact of whom little is known. */
export const aSimulation = ({ blocks = [], rest = {}, now, ...given }: Given): Simulation => {
  const { account, contact, flow } = aBlockContext();
  return {
    definition: aDefinition(blocks, { ...rest }),
    flow,
    account,
    contact,
    status: 'active',
    silentUntil: null,
    isHandedOver: false,
    handoverWords: null,
    fields: [],
    tagNames: [],
    targets: {},
    credentials: [],
    files: [],
    baseUrl: 'https://parley.example',
    now: Date.parse(now ?? '2026-03-04T10:00:00Z'),
    seed: '1',
    start: null,
    params: {},
    inputs: [],
    mocks: {},
    real: null,
    ...given,
  };
};

/** What a simulation comes to that asks nobody. */
export const simulated = async (given: Given): Promise<Simulated> => {
  const outcome = await simulate(aSimulation(given));
  return outcome.type === 'done' ? outcome.result : expect.fail('the simulation asks');
};
