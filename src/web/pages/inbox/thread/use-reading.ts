import { useLayoutEffect, useState } from 'react';

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
  const [log, setLog] = useState<HTMLDivElement | null>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  useLayoutEffect(() => {
    if (!log) return undefined;
    log.scrollTo({ top: left.get(id) ?? 0 });
    const note = (): void => {
      // The end is 0, and what is above it negative.
      const isNear = log.scrollTop > -nearEndPx;
      setAtEnd(isNear);
      keepPlace(id, isNear ? 0 : log.scrollTop);
    };
    log.addEventListener('scroll', note, { passive: true });
    return () => log.removeEventListener('scroll', note);
  }, [id, log]);
  const toEnd = (): void => {
    log?.scrollTo({ top: 0 });
  };
  return { log, setLog, isAtEnd, hasNews: !isAtEnd && seen !== newest, toEnd };
};
