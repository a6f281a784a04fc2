import { useMemo } from 'react';
import type { FieldDefinition } from '../../../../shared/custom-fields/values.ts';
import { useCustomFields } from '../../../parts/use-custom-fields.ts';
import type { Fields } from './template/names.ts';

/** The custom fields of the account by key; undefined while the first of them are read. */
export const useFields = (): Fields | undefined => {
  const rows = useCustomFields();
  return useMemo(
    () =>
      rows &&
      new Map(
        rows.map(({ key, name, type, options, default: value }) => [
          key,
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API answers JSON
          { key, name, type, options, default: value as FieldDefinition['default'] },
        ]),
      ),
    [rows],
  );
};
