import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { commonWords } from '../words/common.ts';
import type { Column } from './column.ts';

type Props = {
  /** Its word and what it is done to, for who does not see the row that it stands in. */
  label: string;
  onClick: () => void;
  isSending?: boolean;
  children: string;
};

/** A button in a row of a list. */
export const RowAction = ({ label, onClick, isSending = false, children }: Props) => (
  <Button size="xs" variant="default" aria-label={label} loading={isSending} onClick={onClick}>
    {children}
  </Button>
);

/** The last column of a list: what can be done to each row, beside each other. */
export const rowActions = <Row,>(show: (row: Row) => ReactNode): Column<Row> => ({
  heading: commonWords.actions,
  align: 'right',
  card: 'foot',
  show: (row) => (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {show(row)}
    </Group>
  ),
});
