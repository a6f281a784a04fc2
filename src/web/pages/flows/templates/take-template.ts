import { client, type Schemas } from '../../../api/client.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { invalidate } from '../../../api/query-client.ts';
import type { Template } from './template.ts';

type Field = Pick<Schemas['CustomField'], 'key' | 'type'>;

/** The fields of a template that the account has with another type: the template could not write them. */
const findClashes = ({ fields }: Pick<Template, 'fields'>, there: readonly Field[]): Field[] =>
  there.filter(({ key, type }) => fields.some((wanted) => wanted.key === key && wanted.type !== type));

/**
 * Creates the custom fields that a template writes and the account has not. Answers those that are there with another type; then it creates none, but
 * for those that somebody else creates at this moment.
 */
export const createFields = async (template: Template): Promise<Field[]> => {
  const before = await readFields();
  const clashes = findClashes(template, before);
  if (clashes.length > 0) return clashes;
  const missing = template.fields.filter(({ key }) => before.every((field) => field.key !== key));
  let isTaken = false;
  for (const body of missing) isTaken = (await unlessTaken(() => client.POST('/custom-fields', { body }))) || isTaken;
  await invalidate('/custom-fields');
  return isTaken ? findClashes(template, await readFields()) : [];
};

/** Keeps the scenario of a template with the flow, unless it has one of this name. */
export const keepScenario = async (flowId: string, { scenario }: Template): Promise<void> => {
  await unlessTaken(() => client.POST('/flows/{id}/scenarios', { params: { path: { id: flowId } }, body: scenario }));
  await invalidate('/flows');
};

/** All custom fields of the account, which are up to 500. */
const readFields = async (): Promise<Field[]> => {
  const fields: Field[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 200, ...(cursor !== undefined && { cursor }) };
    const { data } = await client.GET('/custom-fields', { params: { query } });
    fields.push(...(data?.data ?? []));
    cursor = data?.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return fields;
};

/** Whether a request was refused because the account has something of this name. Any other refusal is thrown. */
const unlessTaken = async (request: () => Promise<unknown>): Promise<boolean> => {
  try {
    await request();
    return false;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 409 || !error.conflictWith) throw error;
    return true;
  }
};
