import { useCallback, useEffect, useState, type RefObject } from 'react';
import { useActing } from '../builder/acting-context.ts';
import { startId } from '../builder/builder-context.ts';

/** So many frames a new block has to be shown before the list no longer waits to give it the focus. */
const patience = 40;

/** The block of the list at which Tab stops: the one that had the focus last, else the selected one. */
export const useListFocus = (box: RefObject<HTMLElement | null>, selected: string | undefined) => {
  const { takeFocus } = useActing();
  const [current, setCurrent] = useState(selected ?? startId);
  const take = useCallback(
    (ref: string | undefined): void => {
      if (ref !== undefined) setCurrent(ref);
      const which = ref === undefined ? '[tabindex="0"]' : '';
      const row = ref === undefined ? '' : `[data-ref="${CSS.escape(ref)}"] `;
      let left = patience;
      const attempt = (): void => {
        left -= 1;
        const face = box.current?.querySelector<HTMLElement>(`${row}.block-face${which}`);
        face?.focus();
        if (!face && left > 0) requestAnimationFrame(attempt);
      };
      // At once where it is shown, for the next key is meant for it.
      attempt();
    },
    [box],
  );
  useEffect(() => takeFocus(take), [takeFocus, take]);
  return { current, setCurrent };
};
