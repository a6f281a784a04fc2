import type { ReactNode } from 'react';

/** A column: its heading, and what it shows of a row. The first one names the row. */
export type Column<Row> = {
  /** Names it where users choose columns: the first has none, because it always stands there. */
  key?: string;
  heading: string;
  show: (row: Row) => ReactNode;
  align?: 'right';
  /** CSS width. The others share what is left. */
  width?: number | string;
  /**
   * Its place on a narrow screen, where a row is a card of two lines: at the end of the first line, in the second (where several have it, the first
   * that is not empty), or at its end. Actions stand at its foot.
   * One without a place stands below, with its heading. The first column is the title.
   */
  card?: 'aside' | 'line' | 'end' | 'foot' | 'hidden';
  /** Whether a card shows its heading before it, for a number that says nothing alone. */
  cardHeading?: boolean;
  /** The orders of the API that its heading chooses. */
  orders?: { asc?: string; desc?: string };
};

/** The order of a list, as the API names it, and those that its filters allow. */
export type Sort<Order extends string = string> = {
  order: Order;
  offered: readonly Order[];
  setOrder: (order: string) => void;
};

/** The orders that a heading chooses among those that are offered. */
export const ordersOf = (
  { orders: { asc, desc } = {} }: Pick<Column<never>, 'orders'>,
  { offered }: Sort,
): { asc: string | undefined; desc: string | undefined } => {
  const ifOffered = (order: string | undefined) => (offered.some((known) => known === order) ? order : undefined);
  return { asc: ifOffered(asc), desc: ifOffered(desc) };
};
