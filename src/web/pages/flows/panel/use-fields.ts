import { useEffect, useMemo } from 'react';
import type { FieldDefinition } from '../../../../shared/custom-fields/values.ts';
import { useList } from '../../../parts/use-list.ts';
import type { Fields } from './template/names.ts';

/** The custom fields of the account by key, which are up to 500; undefined while the first of them are read. */
export const useFields = (): Fields | undefined => {
  const { rows, more, isLoadingMore } = useList('/custom-fields', { limit: 200 });
  useEffect(() => {
    if (more && !isLoadingMore) more();
  }, [more, isLoadingMore]);
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
