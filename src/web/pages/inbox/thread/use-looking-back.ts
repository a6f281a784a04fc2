import { useEffect, useLayoutEffect, useRef } from 'react';
import type { LookBack } from '../../../live/look-back.ts';
import type { Anchor } from './use-anchor.ts';

/** How near to an end of what is loaded, in px, the next part is. */
const nearPx = 600;

/** What is held in its place: of these, no other takes the same place later. */
const holdable = '.talk[data-id], .talk[data-by="note"]';

/** Whoever does one of these reads on from the message that was looked for. */
const readingOn = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

type Place = { element: Element; top: number };

type Props = { back: LookBack | undefined; anchor: Anchor; entries: object; readPlace: () => void };

/**
 * Shows the message that is looked for in the middle, marks it and gives it the focus. From there on, parts of the thread are loaded as its ends come
 * near, and what is read stays in its place. With all that is new it is a thread as any other, and scrolls with its end.
 */
export const useLookingBack = (log: HTMLElement | null, { back, anchor, entries, readPlace }: Props): void => {
  const place = useRef<Place | undefined>(undefined);
  /** The message that was looked for, until something else is read. */
  const shown = useRef<HTMLElement | undefined>(undefined);
  const wasAtNewest = useRef(false);
  const latest = useRef({ back, readPlace });
  useLayoutEffect(() => {
    latest.current = { back, readPlace };
  });
  const isBack = back !== undefined;
  const isHere = back?.lists !== undefined;

  const wasBack = useRef(false);
  useLayoutEffect(() => {
    if (log && wasBack.current && !isBack) log.scrollTo({ top: 0 });
    wasBack.current = isBack;
  }, [log, isBack]);

  useLayoutEffect(() => {
    if (!log || !isHere) return;
    if (!wasAtNewest.current || log.scrollTop < -1) keepPlace(log, place.current);
    place.current = findPlace(log, place.current);
    wasAtNewest.current = latest.current.back?.isAtNewest === true;
    latest.current.readPlace();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- others stand there with each of them
  }, [log, isHere, entries]);

  useLayoutEffect(() => {
    if (!log || !isHere || anchor.id === undefined) return;
    const found = log.querySelector<HTMLElement>(`[data-id="${anchor.id}"]`);
    if (!found) return;
    shown.current = found;
    show(found);
    place.current = findPlace(log, undefined);
    latest.current.readPlace();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the same message may be gone to again
  }, [log, isHere, anchor.id, anchor.visit]);

  useEffect(() => {
    if (!log || !isHere) return undefined;
    const follow = (): void => {
      place.current = findPlace(log, place.current);
      loadNear(log, latest.current.back);
    };
    const readOn = (): void => {
      shown.current = undefined;
    };
    // The thread gets its height when the composer has its own, and others come and go above and below it.
    const sizes = new ResizeObserver(() => {
      if (shown.current?.isConnected) shown.current.scrollIntoView({ block: 'center' });
      place.current = findPlace(log, undefined);
      latest.current.readPlace();
    });
    sizes.observe(log);
    log.addEventListener('scroll', follow, { passive: true });
    for (const name of readingOn) log.addEventListener(name, readOn, { passive: true });
    return () => {
      sizes.disconnect();
      log.removeEventListener('scroll', follow);
      for (const name of readingOn) log.removeEventListener(name, readOn);
    };
  }, [log, isHere]);

  // A part may be shorter than what is shown.
  useEffect(() => {
    if (log) loadNear(log, back);
  });
};

const show = (found: HTMLElement): void => {
  found.scrollIntoView({ block: 'center' });
  found.tabIndex = -1;
  found.focus({ preventScroll: true });
  // Once more, where it was shown before.
  found.removeAttribute('data-found');
  found.getBoundingClientRect();
  found.setAttribute('data-found', '');
  found.addEventListener('animationend', () => found.removeAttribute('data-found'), { once: true });
};

/** The end is 0, and what is above it negative. */
const loadNear = (log: HTMLElement, back: LookBack | undefined): void => {
  if (-log.scrollTop < nearPx) back?.newer?.();
  if (log.scrollHeight - log.clientHeight + log.scrollTop < nearPx) back?.older?.();
};

const keepPlace = (log: HTMLElement, place: Place | undefined): void => {
  if (!place?.element.isConnected) return;
  const moved = place.element.getBoundingClientRect().top - place.top;
  if (Math.abs(moved) > 0.5) log.scrollTop += moved;
};

/** A row that is seen, and where: the one of before as long as it is. */
const findPlace = (log: HTMLElement, before: Place | undefined): Place | undefined => {
  const { top, bottom } = log.getBoundingClientRect();
  const isSeen = (element: Element): boolean => {
    const its = element.getBoundingClientRect();
    return its.bottom > top && its.top < bottom;
  };
  const known = before?.element;
  const element =
    known && known.isConnected && isSeen(known)
      ? known
      : [...log.querySelectorAll(holdable)].find((one) => isSeen(one));
  return element && { element, top: element.getBoundingClientRect().top };
};
