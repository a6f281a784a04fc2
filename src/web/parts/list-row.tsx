import { useMemo, type ReactNode } from 'react';
import type { Column } from './column.ts';
import { tableRoles } from './table-roles.ts';

type Props<Row> = {
  row: Row;
  rowKey: string;
  /** Beginning of the ids of what describes the rows. */
  tableId: string;
  columns: readonly Column<Row>[];
  /** The page that the row opens. */
  href: string | undefined;
  /** Whether Tab stops here: at one row of a list. */
  isStop: boolean;
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined;
};

/** The attributes by which a list finds the row that was clicked, and where it leads. */
export const rowAttributes = { key: 'data-key', href: 'data-href' } as const;

/** The id of the text "Select" in the head of a list. */
export const selectId = (tableId: string): string => `${tableId}-select`;

/**
 * A row, rendered anew only when its own data change. Plain elements: hundreds of rows of the library's own take a browser as long as all that
 * stands in them. Roles are written out because cards on phones are no table to a browser.
 */
export const ListRow = <Row,>(props: Props<Row>) => {
  const { row, rowKey, tableId, columns, href, isStop, isSelected } = props;
  return useMemo(
    () => drawRow({ row, rowKey, tableId, columns, href, isStop, isSelected }),
    [row, rowKey, tableId, columns, href, isStop, isSelected],
  );
};

const drawRow = <Row,>({ row, rowKey, tableId, columns, href, isStop, isSelected }: Props<Row>): ReactNode => {
  const headId = `${tableId}-${rowKey}`;
  const canHaveFocus = href !== undefined || isSelected !== undefined;
  return (
    <tr
      {...tableRoles.row}
      className="list-row"
      tabIndex={canHaveFocus ? (isStop ? 0 : -1) : undefined}
      data-selected={isSelected || undefined}
      {...{ [rowAttributes.key]: rowKey, [rowAttributes.href]: href }}
    >
      {isSelected !== undefined && (
        <td {...tableRoles.cell} className="list-check">
          <label>
            <input
              type="checkbox"
              // The list hears the click, with the keys that were held.
              readOnly
              checked={isSelected}
              aria-labelledby={`${selectId(tableId)} ${headId}`}
              tabIndex={-1}
            />
          </label>
        </td>
      )}
      {columns.map(({ heading, show, align, card, cardHeading }, place) =>
        place === 0 ? (
          <th key={heading} id={headId} {...tableRoles.rowHeading} scope="row" className={align} data-card="title">
            {show(row)}
          </th>
        ) : (
          <Cell key={heading} heading={heading} align={align} card={card} cardHeading={cardHeading}>
            {show(row)}
          </Cell>
        ),
      )}
    </tr>
  );
};

type CellProps = Pick<Column<never>, 'heading'> & {
  align: Column<never>['align'] | undefined;
  card: Column<never>['card'] | undefined;
  cardHeading: boolean | undefined;
  children: ReactNode;
};

/** A cell without a place of its own on a card stands below the others there, with its heading. */
const Cell = ({ heading, align, card, cardHeading = !card, children }: CellProps) => (
  <td
    {...tableRoles.cell}
    className={align}
    data-card={card ?? 'below'}
    data-heading={cardHeading ? heading || undefined : undefined}
  >
    {children}
  </td>
);
