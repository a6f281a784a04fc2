import { modals } from '@mantine/modals';
import { words } from './words.ts';

/** Asks before the session is left, and what is only here of a draft with it. */
export const askToLeave = (leave: () => void): void => {
  modals.openConfirmModal({
    title: words.leaveTitle,
    children: words.leaveText,
    labels: { confirm: words.leave, cancel: words.stay },
    confirmProps: { color: 'red.8' },
    onConfirm: leave,
  });
};
