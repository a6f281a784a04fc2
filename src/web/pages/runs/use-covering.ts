import { useEffect } from 'react';
import type { List } from '../../parts/use-list.ts';

/** Loads pages of what steps have, the latest first, until it is there for all steps from this one on. */
export const useCovering = (list: List<{ step: number }>, firstStep: number | undefined): void => {
  const { rows, more, isLoadingMore, error } = list;
  useEffect(() => {
    const last = rows?.at(-1);
    if (firstStep === undefined || !last || !more || isLoadingMore || error) return;
    if (last.step >= firstStep) more();
  }, [rows, more, isLoadingMore, error, firstStep]);
};
