import { useCallback } from 'react';
import { useActing } from '../builder/acting-context.ts';
import { useBuilder } from '../builder/builder-context.ts';

/** Closes the panel. The focus goes back to its block. */
export const useLeave = (): (() => void) => {
  const { selected, select } = useBuilder();
  const { focus } = useActing();
  return useCallback(() => {
    select([]);
    focus(selected[0]);
  }, [selected, select, focus]);
};
