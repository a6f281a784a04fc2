import { useMemo } from 'react';
import type { FieldDefinition } from '../../../../shared/custom-fields/values.ts';
import { useList } from '../../../parts/use-list.ts';
import type { Fields } from './template/names.ts';

/** The custom fields of the account by key, as far as two hundred of them; undefined while they are read. */
export const useFields = (): Fields | undefined => {
  const { rows } = useList('/custom-fields', { limit: 200 });
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
