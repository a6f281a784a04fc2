import type { FieldType } from '../../../../shared/custom-fields/values.ts';
import { keyOf, nameOfKey } from '../../../../shared/flows/blocks/json-leaves.ts';

/** A field for what is at a path: `$.order.status` gives order_status. */
export const proposeField = (
  path: string,
  type: FieldType = 'text',
): { key: string; name: string; type: FieldType } => {
  const key = keyOf(path);
  return { key, name: nameOfKey(key), type };
};
