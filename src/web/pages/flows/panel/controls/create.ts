import type { FieldType } from '../../../../../shared/custom-fields/values.ts';
import { client } from '../../../../api/client.ts';
import { invalidate } from '../../../../api/query-client.ts';

/** What a field is called whose key is all that is known: "shirt_size" gives "Shirt size". */
const nameOfKey = (key: string): string => {
  const text = key.replaceAll('_', ' ').trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

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
