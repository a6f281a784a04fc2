import { modals } from '@mantine/modals';
import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Closes what a page has asked when another one is gone to, also by the browser's own buttons: it would be asked, and done, over that one. */
export const CloseQuestions = () => {
  const { pathname } = useLocation();
  useEffect(() => () => modals.closeAll(), [pathname]);
  return null;
};
