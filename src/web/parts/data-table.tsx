import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useDeferredValue, useId, useState, type CSSProperties, type ReactNode } from 'react';
import { commonWords } from '../words/common.ts';
import { listWords, type Counted } from '../words/lists.ts';
import { ColumnMenu } from './column-menu.tsx';
import type { Column, Sort } from './column.ts';
import { Failure } from './failure.tsx';
import { Freshness } from './freshness.tsx';
import { ListHead, SortSelect } from './list-head.tsx';
import { ListRow } from './list-row.tsx';
import './list.css';
import { LoadMore } from './load-more.tsx';
import { InRows } from './time.tsx';
import type { ColumnChoice } from './use-columns.ts';
import type { CountOfRows } from './use-count.ts';
import type { List } from './use-list.ts';
import { useRowEvents } from './use-row-events.ts';
import type { Selection } from './use-selection.ts';
import { tableRoles } from './table-roles.ts';

type Props<Row> = {
  /** What the table is of, for those who do not see it. */
  label: string;
  list: List<Row>;
  keyOf: (row: Row) => string;
  /** Rows are rendered anew when these are others: keep them where a list is long and live. */
  columns: readonly Column<Row>[];
  /** Has users choose among them. */
  choice?: ColumnChoice<Row>;
  /** Shown where there are no rows: an `Empty`. */
  empty: ReactNode;
  /** The page that a row opens, to which its first cell has a link. */
  linkOf?: (row: Row) => string;
  /** What is counted: has the list say how many there are. */
  counted?: Counted;
  /** How many there are, where the API counts; else as many as are loaded, when all are. */
  count?: CountOfRows | undefined;
  sort?: Sort | undefined;
  selection?: Selection | undefined;
  /** What can be done with the selected rows: a `BulkBar`. */
  bulk?: ReactNode;
  /** The least width, in px, below which it scrolls sideways. */
  minWidth?: number;
};

/** The rows of a list, with what stands there while they load, fail to, or are none. */
export const DataTable = <Row,>(props: Props<Row>) => {
  const { list, empty, bulk } = props;
  const { error, retry, reading } = list;
  // What is known already is rendered between other things: many new rows at once would keep the page from answering.
  const rows = useDeferredValue(list.rows);
  if (!rows) return error ? <Failure error={error} retry={retry} /> : <Rows />;
  if (rows.length === 0)
    return (
      <>
        {reading && <Freshness of={reading} />}
        {empty}
      </>
    );
  return (
    <Stack gap="sm">
      {error && !reading?.hasFailed ? <Failure error={error} retry={retry} /> : null}
      <Table {...props} rows={rows} />
      <LoadMore list={list} />
      {bulk}
    </Stack>
  );
};

const Table = <Row,>({
  label,
  list,
  rows,
  keyOf,
  columns,
  choice,
  linkOf,
  counted,
  count,
  sort,
  selection,
  minWidth = 640,
}: Props<Row> & { rows: readonly Row[] }) => {
  const tableId = useId();
  const [focused, setFocused] = useState<string>();
  const events = useRowEvents({ selection, setStop: setFocused });
  const keys = rows.map(keyOf);
  const stop = focused !== undefined && keys.includes(focused) ? focused : keys[0];
  const all = count ?? (list.more ? undefined : { count: rows.length, more: false });
  const freshness = list.reading && <Freshness of={list.reading} />;
  const style: CSSProperties & Record<'--list-min-width', string> = { '--list-min-width': `${minWidth}px` };
  return (
    <>
      {counted || sort || choice ? (
        <div className="list-bar">
          {counted && <span className="list-count">{all && listWords.count({ ...all, of: counted })}</span>}
          {freshness}
          {(sort || choice) && (
            <div className="list-tools">
              {sort && <SortSelect columns={columns} sort={sort} />}
              {choice && <ColumnMenu choice={choice} />}
            </div>
          )}
        </div>
      ) : (
        freshness
      )}
      <div className="list-scroll">
        <table {...tableRoles.table} className="list" style={style}>
          <caption>
            <VisuallyHidden>{label}</VisuallyHidden>
          </caption>
          <ListHead tableId={tableId} columns={columns} sort={sort} selection={selection} rowCount={rows.length} />
          <InRows value>
            <tbody {...tableRoles.group} {...events}>
              {rows.map((row, place) => {
                const key = keys[place] ?? '';
                return (
                  <ListRow
                    key={key}
                    row={row}
                    rowKey={key}
                    tableId={tableId}
                    columns={columns}
                    href={linkOf?.(row)}
                    isStop={key === stop}
                    isSelected={selection?.selected.has(key)}
                  />
                );
              })}
            </tbody>
          </InRows>
        </table>
      </div>
    </>
  );
};

/** The room of rows that are being loaded. */
const Rows = () => (
  <Stack gap="xs" role="status" aria-label={commonWords.loading}>
    {[1, 2, 3, 4, 5].map((row) => (
      <Skeleton key={row} height={36} />
    ))}
  </Stack>
);
