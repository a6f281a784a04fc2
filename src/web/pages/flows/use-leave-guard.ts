import { useWindowEvent } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { askBeforeLeaving } from '../../shell/leaving.ts';
import { words } from './words.ts';

/**
 * Asks before another page is gone to, the session is left, or the browser's tab is closed, while something is not saved. What is not saved is given up
 * before the session is left.
 */
export const useLeaveGuard = (isChanged: boolean, giveUp: () => void): void => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useWindowEvent('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
  useEffect(() => {
    if (blocker.state === 'blocked') ask({ leave: () => blocker.proceed(), stay: () => blocker.reset() });
  }, [blocker]);
  const latest = useRef(giveUp);
  useEffect(() => {
    latest.current = giveUp;
  });
  useEffect(() => {
    if (!isChanged) return undefined;
    return askBeforeLeaving((leave) =>
      ask({
        leave: () => {
          latest.current();
          leave();
        },
        stay: () => {},
      }),
    );
  }, [isChanged]);
};

const ask = ({ leave, stay }: { leave: () => void; stay: () => void }): void => {
  let isLeaving = false;
  modals.openConfirmModal({
    title: words.draft.leaveTitle,
    children: words.draft.leaveText,
    labels: { confirm: words.draft.leave, cancel: words.draft.stay },
    confirmProps: { color: 'red.8' },
    onConfirm: () => {
      isLeaving = true;
      leave();
    },
    // Every answer closes the question.
    onClose: () => {
      if (!isLeaving) stay();
    },
  });
};
