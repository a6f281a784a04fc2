import { Button, Collapse, Group, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

type Props = {
  children: ReactNode;
  /** As `useFilters` has it. */
  clear: (() => void) | undefined;
};

/** The filters of a list: beside each other as far as there is room, and behind a button on a narrow screen. */
export const FilterBar = ({ children, clear }: Props) => {
  const { t } = useTranslation('shell');
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  const clearing = clear && (
    <Button variant="subtle" onClick={clear}>
      {t('clearFilters')}
    </Button>
  );
  if (!isNarrow)
    return (
      <Group gap="sm" align="flex-end" role="search" className="filter-bar">
        {children}
        {clearing}
      </Group>
    );
  return (
    <div role="search">
      <Group justify="space-between">
        <Button
          variant="default"
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          leftSection={<IconFilter size={16} aria-hidden />}
        >
          {t('filters')}
        </Button>
        {clearing}
      </Group>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap="sm" pt="sm" align="stretch">
          {children}
        </Stack>
      </Collapse>
    </div>
  );
};
