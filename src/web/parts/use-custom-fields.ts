import { useEffect } from 'react';
import { useList, type RowOf } from './use-list.ts';

/** All custom fields of the account, which are up to 500; undefined while the first of them are read. */
export const useCustomFields = (): readonly RowOf<'/custom-fields'>[] | undefined => {
  const { rows, more, isLoadingMore } = useList('/custom-fields', { limit: 200 });
  useEffect(() => {
    if (more && !isLoadingMore) more();
  }, [more, isLoadingMore]);
  return rows;
};
