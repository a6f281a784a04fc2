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
    if (blocker.state !== 'blocked') return;
    modals.openConfirmModal({
      title: say('draft:leaveTitle'),
      children: say('draft:leaveText'),
      labels: { confirm: say('draft:leave'), cancel: say('draft:stay') },
      confirmProps: { color: 'red.8' },
      onConfirm: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
      onClose: () => blocker.state === 'blocked' && blocker.reset(),
    });
  }, [blocker]);
};
