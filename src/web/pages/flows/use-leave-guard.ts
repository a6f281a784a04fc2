import { useWindowEvent } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { t as say } from 'i18next';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';

/** Asks before another page is gone to, or the browser's tab is closed, while something is not saved. */
export const useLeaveGuard = (isChanged: boolean): void => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useWindowEvent('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
  useEffect(() => {
    if (blocker.state === 'blocked') ask({ leave: () => blocker.proceed(), stay: () => blocker.reset() });
  }, [blocker]);
};

const ask = ({ leave, stay }: { leave: () => void; stay: () => void }): void => {
  let isLeaving = false;
  modals.openConfirmModal({
    title: say('draft:leaveTitle'),
    children: say('draft:leaveText'),
    labels: { confirm: say('draft:leave'), cancel: say('draft:stay') },
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
