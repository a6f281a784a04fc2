import { Button, CloseButton, Group, Popover, Stack, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { listWords } from '../words/lists.ts';
import type { Selection } from './use-selection.ts';

/** What can be done with the selected rows of a list. It floats above the end of the list while there are any. */
export const BulkBar = ({ selection, children }: { selection: Selection; children: ReactNode }) => {
  const { size } = selection.selected;
  return (
    <>
      <VisuallyHidden role="status">{size > 0 && listWords.selected(size)}</VisuallyHidden>
      {size > 0 && (
        <div className="bulk-bar" role="group" aria-label={listWords.bulkActions}>
          <span className="bulk-count" aria-hidden>
            {listWords.selected(size)}
          </span>
          {children}
          <CloseButton size="md" aria-label={listWords.clearSelection} onClick={selection.clear} />
        </div>
      )}
    </>
  );
};

type AskingProps = {
  /** The word on the button, and on the one that does it. */
  action: string;
  /** Where what is needed is chosen. */
  children: ReactNode;
  /** Undefined while nothing is chosen. */
  onConfirm: (() => void) | undefined;
  isSending: boolean;
};

/** An action that first asks for something, as which tag. */
export const BulkAsking = ({ action, children, onConfirm, isSending }: AskingProps) => {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <Popover opened={isOpen} onChange={close} trapFocus returnFocus width={280} position="top" withArrow>
      <Popover.Target>
        <Button size="xs" variant="default" onClick={toggle} loading={isSending}>
          {action}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={action}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            close();
            onConfirm?.();
          }}
        >
          <Stack gap="sm">
            {children}
            <Group justify="flex-end">
              <Button type="submit" size="xs" disabled={!onConfirm}>
                {action}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
};
