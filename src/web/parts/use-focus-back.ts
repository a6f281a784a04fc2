import { useLayoutEffect } from 'react';

/**
 * Gives the focus back to what had it when a dialog was opened, also where the dialog is taken out of the page as a whole: otherwise nothing would have
 * it, and a keyboard would begin again at the top. Another dialog in its place keeps it.
 */
export const useFocusBack = (): void => {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body;
        if (!isNowhere || document.querySelector('[role=dialog]')) return;
        if (before instanceof HTMLElement) before.focus({ preventScroll: true });
      });
    };
  }, []);
};
