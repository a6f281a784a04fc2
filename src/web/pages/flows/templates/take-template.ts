import { client } from '../../../api/client.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { invalidate } from '../../../api/query-client.ts';
import type { Template } from './template.ts';

/** Creates the custom fields that a template writes and the account has not. A key that is there keeps its type. */
export const createFields = async ({ fields }: Template): Promise<void> => {
  for (const body of fields) await unlessTaken(() => client.POST('/custom-fields', { body }));
  await invalidate('/custom-fields');
};

/** Keeps the scenario of a template with the flow, unless it has one of this name. */
export const keepScenario = async (flowId: string, { scenario }: Template): Promise<void> => {
  await unlessTaken(() => client.POST('/flows/{id}/scenarios', { params: { path: { id: flowId } }, body: scenario }));
  await invalidate('/flows');
};

const unlessTaken = async (request: () => Promise<unknown>): Promise<void> => {
  try {
    await request();
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 409) throw error;
  }
};
