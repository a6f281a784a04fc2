import { useEffect, useState, type RefObject } from 'react';
import { useBuilder, type Builder } from '../builder/builder-context.ts';
import { focusField } from './focus-field.ts';

type Opened = NonNullable<Builder['opened']>;

/** What has been given the focus. A panel that is shown again later leaves the focus where it is. */
const done = new WeakSet<Opened>();

/**
 * Gives the focus to a field of a panel once for each time that it is opened. `begin` shows its form in the same render: the focus is there before the
 * next key, and never moves later.
 */
export const useOpened = (id: string, place: RefObject<HTMLElement | null>, begin?: () => void): void => {
  const { opened } = useBuilder();
  const wanted = opened?.blockId === id ? opened : undefined;
  const [shown, setShown] = useState<Opened>();
  if (wanted !== shown) {
    setShown(wanted);
    if (wanted && !done.has(wanted)) begin?.();
  }
  // No layout effect: a list that closes at the same time looks first at what has the focus, to give it back.
  useEffect(() => {
    if (!wanted || done.has(wanted) || !place.current) return;
    done.add(wanted);
    focusField(place.current, wanted.path);
  }, [wanted, place]);
};
