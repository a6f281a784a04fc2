import type { Schemas } from '../../../api/client.ts';
import { useCustomFields } from '../../../parts/use-custom-fields.ts';

/** The type of a custom field by its key; undefined until that is known. */
export const useFieldTypes = (): ((key: string) => Schemas['CustomField']['type'] | undefined) | undefined => {
  const fields = useCustomFields();
  return fields && ((key) => fields.find((field) => field.key === key)?.type);
};
