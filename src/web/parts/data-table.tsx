import { Skeleton, Stack, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { commonWords } from '../words/common.ts';
import { Failure } from './failure.tsx';
import { LoadMore } from './load-more.tsx';
import { InRows } from './time.tsx';
import type { List } from './use-list.ts';

/** A column: its heading, and what it shows of a row. */
export type Column<Row> = {
  heading: string;
  show: (row: Row) => ReactNode;
  align?: 'right';
  /** CSS width. The others share what is left. */
  width?: number | string;
};

type Props<Row> = {
  /** What the table is of, for those who do not see it. */
  label: string;
  list: List<Row>;
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** Shown where there are no rows: an `Empty`. */
  empty: ReactNode;
  /** The least width, in px, below which it scrolls sideways. */
  minWidth?: number;
};

/** The rows of a list, with what stands there while they load, fail to, or are none. */
export const DataTable = <Row,>({ label, list, keyOf, columns, empty, minWidth = 640 }: Props<Row>) => {
  const { rows, error, retry } = list;
  if (!rows) return error ? <Failure error={error} retry={retry} /> : <Rows />;
  if (rows.length === 0) return empty;
  return (
    <Stack gap="sm">
      {error ? <Failure error={error} retry={retry} /> : null}
      <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing="xs" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ heading, align, width }) => (
                <Table.Th key={heading} ta={align} w={width} style={{ whiteSpace: 'nowrap' }}>
                  {heading}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          {/* Plain elements: hundreds of rows of the library's own take a browser as long as all that stands in them. */}
          <InRows value>
            <tbody>
              {rows.map((row) => (
                <tr key={keyOf(row)} className="row">
                  {columns.map(({ heading, show, align }) => (
                    <td key={heading} className={align}>
                      {show(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </InRows>
        </Table>
      </Table.ScrollContainer>
      <LoadMore list={list} />
    </Stack>
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
