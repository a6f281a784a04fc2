import { useState, type FocusEvent } from 'react';
import { holdRows } from './steady.ts';

/** The rows of a list that keeps its order while a pointer or the keyboard is in it, and what the list listens to for that. */
export const useHeldRows = <Row extends { id: string }>(now: readonly Row[], isWhole: boolean) => {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [shown, setShown] = useState<readonly Row[]>([]);
  const { rows, news } = holdRows(shown, now, { isHeld: isPointed || isFocused, isWhole });
  if (rows.length !== shown.length || rows.some((row, place) => row !== shown[place])) setShown(rows);
  return {
    rows,
    news,
    showNews: () => setShown(now),
    holding: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
        setFocused(currentTarget.contains(relatedTarget)),
    },
  };
};
