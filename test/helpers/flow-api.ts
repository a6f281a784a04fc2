import { afterAll } from 'vitest';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { startApi, type TestApi } from './api.ts';
import { startFlowWorld, type FlowWorld } from './flow-world.ts';
import { untold } from './untold.ts';

/** Flows and the API on one database, with a key of the flows' account, for a whole test file; stopped after it. */
export const useFlowApi = async (): Promise<{ world: FlowWorld; api: TestApi; key: string }> => {
  const world = await startFlowWorld();
  const api = await startApi({ world });
  afterAll(async () => {
    await api.stop();
    await world.stop();
  });
  const { value: key } = await createApiKey(untold(world.db), world.accountId, 'Shop');
  return { world, api, key };
};
