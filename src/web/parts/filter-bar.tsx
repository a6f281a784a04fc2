import { Button, Collapse, Group, MantineThemeProvider, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { commonWords } from '../words/common.ts';

type Props = {
  children: ReactNode;
  /** As `useFilters` has it. */
  clear: (() => void) | undefined;
};

/**
 * What filters offer is made when somebody comes near them. Made with the page, it would be placed, closed as it is, before the page is shown: a browser
 * then has to lay out all rows in the middle of that.
 */
const untouched = { components: { Combobox: { defaultProps: { keepMounted: false } } } };

/** The filters of a list: beside each other as far as there is room, and behind a button on a narrow screen. */
export const FilterBar = ({ children, clear }: Props) => {
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
  const [isOpen, { toggle }] = useDisclosure();
  const [isTouched, setTouched] = useState(false);
  const touch = (): void => setTouched(true);
  const id = useId();
  const offering = <MantineThemeProvider theme={isTouched ? {} : untouched}>{children}</MantineThemeProvider>;
  const bar = useRef<HTMLDivElement>(null);
  const clearAll = (): void => {
    clear?.();
    // The button goes away.
    bar.current?.focus({ preventScroll: true });
  };
  const clearing = clear && (
    <Button variant="subtle" onClick={clearAll}>
      {commonWords.clearFilters}
    </Button>
  );
  if (!isNarrow)
    return (
      <Group
        gap="sm"
        align="flex-end"
        ref={bar}
        role="search"
        tabIndex={-1}
        className="filter-bar"
        onPointerEnter={touch}
        onFocusCapture={touch}
      >
        {offering}
        {clearing}
      </Group>
    );
  return (
    <div ref={bar} role="search" tabIndex={-1} onPointerEnter={touch} onFocusCapture={touch}>
      <Group justify="space-between">
        <Button
          variant="default"
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          leftSection={<IconFilter size={16} aria-hidden />}
        >
          {commonWords.filters}
        </Button>
        {clearing}
      </Group>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap="sm" pt="sm" align="stretch">
          {offering}
        </Stack>
      </Collapse>
    </div>
  );
};
