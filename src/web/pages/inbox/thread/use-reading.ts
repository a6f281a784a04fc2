import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

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

type Options = {
  /** Names the last entry; undefined while it is not known. */
  newest: string | undefined;
  /** Whether it is read around a message: it begins there. */
  isBack: boolean;
  /** Whether what is shown goes to the newest entry. */
  isAtNewest: boolean;
};

/**
 * Where a thread is read, which begins at its end: a conversation that is come back to is where it was left, and what comes while an earlier part is
 * read sets `hasNews`.
 */
export const useReading = (id: string, { newest, isBack, isAtNewest }: Options) => {
  const [log, setLog] = useState<HTMLDivElement | null>(null);
  const [isNearEnd, setNearEnd] = useState(() => !isBack && !left.has(id));
  const [seen, setSeen] = useState(newest);
  const isAtEnd = isNearEnd && isAtNewest;
  if ((isAtEnd || seen === undefined) && seen !== newest) setSeen(newest);
  const readPlace = useCallback(() => {
    if (!log) return;
    // The end is 0, and what is above it negative.
    const isNear = log.scrollTop > -nearEndPx;
    setNearEnd(isNear);
    if (isAtNewest) keepPlace(id, isNear ? 0 : log.scrollTop);
  }, [id, log, isAtNewest]);
  const begin = useRef(left.get(id) ?? 0);
  const isElsewhere = useRef(isBack);
  useLayoutEffect(() => {
    isElsewhere.current = isBack;
    if (isBack) begin.current = 0;
  }, [isBack]);
  useLayoutEffect(() => {
    if (log && !isElsewhere.current && begin.current !== 0) log.scrollTo({ top: begin.current });
  }, [log]);
  useEffect(() => {
    log?.addEventListener('scroll', readPlace, { passive: true });
    // Where all of it has room by now, nothing scrolls. Only the page itself knows that.
    // oxlint-disable-next-line react/set-state-in-effect
    readPlace();
    return () => log?.removeEventListener('scroll', readPlace);
  }, [log, readPlace]);
  const toEnd = (): void => {
    log?.scrollTo({ top: 0 });
  };
  return { log, setLog, isAtEnd, hasNews: !isAtEnd && seen !== newest, toEnd, readPlace };
};
