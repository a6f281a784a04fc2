import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { listWords } from '../words/lists.ts';
import type { ColumnChoice } from './use-columns.ts';

/** Chooses the columns of a list. */
export const ColumnMenu = <Row,>({ choice: { all, shown, choose } }: { choice: ColumnChoice<Row> }) => {
  const keys = new Set(shown.map(({ key }) => key));
  const toggle = (toggled: string): void =>
    choose(all.flatMap(({ key }) => (key !== undefined && (key === toggled) !== keys.has(key) ? [key] : [])));
  return (
    <Popover position="bottom-end" withArrow trapFocus returnFocus>
      <Popover.Target>
        <Button
          className="list-columns"
          size="compact-sm"
          variant="subtle"
          color="gray"
          c="dimmed"
          fw={500}
          leftSection={<IconColumns3 size={16} aria-hidden />}
        >
          {listWords.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={listWords.columns}>
        <Stack gap="xs">
          {all.map(
            ({ key, heading }) =>
              key !== undefined && (
                <Checkbox key={key} size="sm" label={heading} checked={keys.has(key)} onChange={() => toggle(key)} />
              ),
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
