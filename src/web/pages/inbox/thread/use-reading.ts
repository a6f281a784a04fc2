import { useCallback, useRef, useState } from 'react';

/** How far above its end, in px, a thread still counts as read to the end. */
const nearEndPx = 80;

/** Where threads were left, by conversation: how far above the end, in px. */
const left = new Map<string, number>();
const leftAtMost = 50;

const keepPlace = (id: string, px: number): void => {
  left.delete(id);
  if (px < 0) left.set(id, px);
  const [oldest] = left.keys();
  if (oldest !== undefined && left.size > leftAtMost) left.delete(oldest);
};

/**
 * Where a thread is read, which begins at its end: a conversation that is come back to is where it was left, and what comes while an earlier part is
 * read sets `hasNews`. `newest` names the last entry.
 */
export const useReading = (id: string, newest: string | undefined) => {
  const log = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(() => !left.has(id));
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  const setLog = useCallback(
    (element: HTMLDivElement | null) => {
      log.current = element;
      if (!element) return undefined;
      const note = (): void => {
        // The end is 0, and what is above it negative.
        const isNear = element.scrollTop > -nearEndPx;
        setAtEnd(isNear);
        keepPlace(id, isNear ? 0 : element.scrollTop);
      };
      const place = left.get(id);
      if (place !== undefined) {
        element.scrollTo({ top: place });
        // It may be shorter now.
        note();
      }
      element.addEventListener('scroll', note, { passive: true });
      return () => {
        log.current = null;
        element.removeEventListener('scroll', note);
      };
    },
    [id],
  );
  const toEnd = useCallback((): void => log.current?.scrollTo({ top: 0 }), []);
  return { log, setLog, isAtEnd, hasNews: !isAtEnd && seen !== newest, toEnd };
};
