import { NativeSelect, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { listWords } from '../words/lists.ts';
import { ordersOf, type Column, type Sort } from './column.ts';
import { selectId } from './list-row.tsx';
import type { Selection } from './use-selection.ts';
import { tableRoles } from './table-roles.ts';

type Props<Row> = {
  tableId: string;
  columns: readonly Column<Row>[];
  sort: Sort | undefined;
  selection: Selection | undefined;
  rowCount: number;
};

/** The headings of a list, by which it is sorted where the API can. */
export const ListHead = <Row,>({ tableId, columns, sort, selection, rowCount }: Props<Row>) => (
  <thead {...tableRoles.group}>
    <tr {...tableRoles.row}>
      {selection && (
        <th {...tableRoles.heading} scope="col" className="list-check">
          <VisuallyHidden id={selectId(tableId)}>{listWords.selectRow}</VisuallyHidden>
          <SelectAll selection={selection} rowCount={rowCount} />
        </th>
      )}
      {columns.map((column) => (
        <Heading key={column.heading} column={column} sort={sort} />
      ))}
    </tr>
  </thead>
);

const Heading = <Row,>({ column, sort }: { column: Column<Row>; sort: Sort | undefined }) => {
  const { heading, align, width } = column;
  const orders = sort && ordersOf(column, sort);
  const isOf = (order: string | undefined) => order !== undefined && sort?.order === order;
  const direction = isOf(orders?.asc) ? 'ascending' : isOf(orders?.desc) ? 'descending' : undefined;
  const next = direction === 'descending' ? (orders?.asc ?? orders?.desc) : (orders?.desc ?? orders?.asc);
  return (
    <th {...tableRoles.heading} scope="col" className={align} style={{ width }} aria-sort={direction}>
      {sort && next !== undefined ? (
        <button type="button" className="list-sort" onClick={() => sort.setOrder(next)}>
          {heading}
          {direction === 'ascending' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />}
        </button>
      ) : (
        heading || <VisuallyHidden>{listWords.actions}</VisuallyHidden>
      )}
    </th>
  );
};

const SelectAll = ({ selection: { selected, toggleAll }, rowCount }: { selection: Selection; rowCount: number }) => {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = selected.size > 0 && selected.size < rowCount;
  });
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        aria-label={listWords.selectAll}
        checked={selected.size > 0 && selected.size === rowCount}
        onChange={toggleAll}
      />
    </label>
  );
};

/** Sorts cards, which have no headings. */
export const SortSelect = <Row,>({ columns, sort }: { columns: readonly Column<Row>[]; sort: Sort }) => {
  const options = columns.flatMap((column) => {
    const { heading } = column;
    const { asc, desc } = ordersOf(column, sort);
    return [
      ...(desc === undefined
        ? []
        : [{ value: desc, label: asc === undefined ? heading : listWords.descending(heading) }]),
      ...(asc === undefined
        ? []
        : [{ value: asc, label: desc === undefined ? heading : listWords.ascending(heading) }]),
    ];
  });
  return (
    <NativeSelect
      className="list-sort-select"
      size="xs"
      aria-label={listWords.sort}
      data={options}
      value={sort.order}
      onChange={({ currentTarget }) => sort.setOrder(currentTarget.value)}
    />
  );
};
