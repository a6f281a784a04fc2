import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { commonWords } from '../words/common.ts';
import { Failure, showFailure } from './failure.tsx';
import { keepFocus } from './keep-focus.ts';

type Question = {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** The word on the button that does it. */
  action: string;
  /** The word on the button that does not; `Cancel` when not given, which would be ambiguous beside an action that cancels. */
  keep?: string;
  isDangerous?: boolean;
  onConfirm: () => Promise<unknown>;
};

/** Asks before something that cannot be taken back, and does it at most once. A failure is told, and leaves things as they are. */
export const confirm = ({ title, children, action, keep, isDangerous = false, onConfirm }: Question): void => {
  // The button can still be clicked while the dialog fades out.
  let isConfirmed = false;
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" component="div">
        {children}
      </Text>
    ),
    labels: { confirm: action, cancel: keep ?? commonWords.cancel },
    confirmProps: isDangerous ? { color: 'red.8' } : {},
    onConfirm: () => {
      if (isConfirmed) return;
      isConfirmed = true;
      void onConfirm()
        .catch((error: unknown) => {
          // A notice has no room for details, and goes away before they are read.
          if (error instanceof ApiFailure && error.details.length > 0)
            modals.open({ title, children: <Failure error={error} /> });
          else showFailure(error);
        })
        .finally(keepFocus);
    },
  });
};
