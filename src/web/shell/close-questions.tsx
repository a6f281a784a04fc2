import { modals } from '@mantine/modals';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Closes what a page has asked when another one is gone to, also by the browser's own buttons: it would be asked, and done, over that one. */
export const CloseQuestions = () => {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    modals.closeAll();
  }, [pathname]);
  return null;
};
