import type { Schemas } from '../../../api/client.ts';
import { useList } from '../../../parts/use-list.ts';

type CustomField = Schemas['CustomField'];

/** The custom fields of the account; undefined until they are known. */
export const useCustomFields = (): readonly CustomField[] | undefined => useList('/custom-fields', { limit: 200 }).rows;

/** The type of a custom field by its key; undefined until that is known. */
export const useFieldTypes = (): ((key: string) => CustomField['type'] | undefined) | undefined => {
  const fields = useCustomFields();
  return fields && ((key) => fields.find((field) => field.key === key)?.type);
};
