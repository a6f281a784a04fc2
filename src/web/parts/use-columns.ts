import { useMemo } from 'react';
import { api, client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { ListName } from '../../shared/views/schema.ts';
import type { Column } from './column.ts';
import { showFailure } from './failure.tsx';
import { useFilters } from './use-filters.ts';

/** The columns of a list that are shown, and the choice of them. */
export type ColumnChoice<Row> = {
  shown: readonly Column<Row>[];
  all: readonly Column<Row>[];
  choose: (keys: readonly string[]) => void;
};

/**
 * The columns that the address names, as that of a view does, else those that the user has chosen, else all. The first one always is. What is
 * chosen is the user's from then on.
 */
export const useColumns = <Row>(list: ListName, all: readonly Column<Row>[]): ColumnChoice<Row> => {
  const { filters, setFilters } = useFilters(['columns']);
  const params = { path: { list } };
  const kept = api.useQuery('get', '/list-columns/{list}', { params }, { staleTime: Infinity });
  const named = filters.columns ?? kept.data?.columns?.join(',');
  const shown = useMemo(() => {
    const keys = named?.split(',');
    return keys === undefined
      ? all
      : all.filter(({ key }, place) => place === 0 || key === undefined || keys.includes(key));
  }, [all, named]);
  const choose = (keys: readonly string[]): void => {
    if (filters.columns !== undefined) return setFilters({ columns: keys.join(',') || none });
    const columns = keys.length < all.filter(({ key }) => key !== undefined).length ? [...keys] : null;
    queryClient.setQueryData(api.queryOptions('get', '/list-columns/{list}', { params }).queryKey, { columns });
    void client.PUT('/list-columns/{list}', { params, body: { columns } }).catch(showFailure);
  };
  return { shown, all, choose };
};

/** In the place of keys: no column but the first. */
const none = 'none';
