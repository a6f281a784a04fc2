import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { commonWords } from '../words/common.ts';
import { showFailure } from './failure.tsx';

type Done = {
  message: string;
  /** What else is to be known of it. */
  more?: string;
  /** Takes it back. */
  undo?: () => Promise<unknown>;
  /** Whether it was done wholly (when not given), in part, or not at all. */
  how?: keyof typeof looks;
};

const looks = {
  wholly: { icon: <IconCheck size={18} aria-hidden /> },
  in_part: { icon: <IconAlertTriangle size={18} aria-hidden />, color: 'yellow' },
  not: { icon: <IconAlertTriangle size={18} aria-hidden />, color: 'red.8' },
} as const;

/** How long it is shown, in ms: what may be taken back, or is to be read, stays until somebody can have decided that. */
const shownMs = 5_000;
const longMs = 10_000;

/** Tells beside the page that something is done, with a way to take it back where there is one. */
export const showDone = ({ message, more, undo, how = 'wholly' }: Done): void => {
  const take = (id: string): void => {
    notifications.hide(id);
    void undo?.().catch(showFailure);
  };
  const id = notifications.show({
    ...(more !== undefined && { title: message }),
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <span>{more ?? message}</span>
        {undo && (
          <Button size="compact-sm" variant="light" flex="none" onClick={() => take(id)}>
            {commonWords.undo}
          </Button>
        )}
      </Group>
    ),
    ...looks[how],
    autoClose: undo || how !== 'wholly' ? longMs : shownMs,
  });
};
