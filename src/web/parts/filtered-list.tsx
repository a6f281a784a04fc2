import { IconSearchOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ListName } from '../../shared/views/schema.ts';
import type { Counted } from '../words/lists.ts';
import type { Column, Sort } from './column.ts';
import { DataTable } from './data-table.tsx';
import { Empty } from './empty.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ListViews } from './list-views.tsx';
import { useColumns } from './use-columns.ts';
import type { CountOfRows } from './use-count.ts';
import type { List } from './use-list.ts';
import type { Selection } from './use-selection.ts';

type Props<Row> = {
  name: ListName;
  label: string;
  counted: Counted;
  /** Stand there while no row has the filters. */
  noneFound: string;
  noneFoundHint: string;
  filters: ReactNode;
  /** Takes all filters away; undefined while there are none. */
  clear: (() => void) | undefined;
  list: List<Row>;
  count: CountOfRows | undefined;
  /** Kept by the page, because rows are rendered anew when these are others. */
  columns: readonly Column<Row>[];
  linkOf: (row: Row) => string;
  /** Stands there while there is no row at all. */
  empty: ReactNode;
  sort?: Sort | undefined;
  selection?: Selection;
  bulk?: ReactNode;
  minWidth: number;
};

/** The list that a page is about, with its saved views and filters, and columns that users choose. */
export const FilteredList = <Row extends { id: string }>({
  name,
  noneFound,
  noneFoundHint,
  filters,
  clear,
  columns,
  empty,
  ...table
}: Props<Row>) => {
  const choice = useColumns(name, columns);
  const nothing = (
    <Empty icon={IconSearchOff} title={noneFound}>
      {noneFoundHint}
    </Empty>
  );
  return (
    <>
      <ListViews list={name} />
      <FilterBar clear={clear}>{filters}</FilterBar>
      <DataTable {...table} keyOf={keyOf} columns={choice.shown} choice={choice} empty={clear ? nothing : empty} />
    </>
  );
};

const keyOf = ({ id }: { id: string }): string => id;
