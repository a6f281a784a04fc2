import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  /** Its word and what it is done to, for who does not see the row that it stands in. */
  label: string;
  onClick: () => void;
  children: string;
};

/** A button in a row of a list. */
export const RowAction = ({ label, onClick, children }: Props) => (
  <Button size="xs" variant="default" aria-label={label} onClick={onClick}>
    {children}
  </Button>
);

/** Several of them beside each other. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <Group gap="xs" justify="flex-end" wrap="nowrap">
    {children}
  </Group>
);
