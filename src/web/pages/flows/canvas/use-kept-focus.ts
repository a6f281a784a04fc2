import { useCallback, useMemo, useRef, type RefObject } from 'react';

/** Keeps the focus in the canvas: a block out of sight is not drawn, and would take the focus away with it. */
export const useKeptFocus = (canvas: RefObject<HTMLElement | null>) => {
  const hasFocus = useRef(false);
  const enter = useCallback((): void => {
    hasFocus.current = true;
  }, []);
  const leave = useCallback(
    ({ relatedTarget }: { relatedTarget: EventTarget | null }): void => {
      // Without a target the element may only be gone; then the canvas takes the focus.
      if (relatedTarget instanceof Node && !canvas.current?.contains(relatedTarget)) hasFocus.current = false;
    },
    [canvas],
  );
  /** Takes back the focus of a block that is gone. */
  const take = useCallback((): void => {
    if (!hasFocus.current) return;
    // After the frame in which the block goes.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        canvas.current?.querySelector<HTMLElement>('.react-flow')?.focus({ preventScroll: true });
      }),
    );
  }, [canvas]);
  return useMemo(() => ({ enter, leave, take }), [enter, leave, take]);
};
