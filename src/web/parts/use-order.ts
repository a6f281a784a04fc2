import type { Sort } from './column.ts';
import { useFilters } from './use-filters.ts';

/** The order of a list, of which the address holds any but the first. An order that is not offered now counts as the first. */
export const useOrder = <Order extends string>(offered: readonly [Order, ...Order[]]): Sort<Order> => {
  const { filters, setFilters } = useFilters(['order']);
  return {
    order: offered.find((known) => known === filters.order) ?? offered[0],
    offered,
    setOrder: (chosen) => setFilters({ order: chosen === offered[0] ? null : chosen }),
  };
};
