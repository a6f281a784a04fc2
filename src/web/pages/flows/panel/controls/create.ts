import type { FieldType } from '../../../../../shared/custom-fields/values.ts';
import { nameOfKey } from '../../../../../shared/flows/blocks/json-leaves.ts';
import { client } from '../../../../api/client.ts';
import { invalidate } from '../../../../api/query-client.ts';

/** Creates a custom field of the account. */
export const createField = async ({ key, type }: { key: string; type: FieldType }): Promise<void> => {
  await client.POST('/custom-fields', { body: { key, name: nameOfKey(key), type } });
  await invalidate('/custom-fields');
};

/** Creates a tag of the account. */
export const createTag = async (name: string): Promise<void> => {
  await client.POST('/tags', { body: { name } });
  await invalidate('/tags');
};
