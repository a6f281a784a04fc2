import { useEffect, type RefObject } from 'react';
import { useBuilder } from '../builder/builder-context.ts';
import { focusField } from './focus-field.ts';

/** Gives the focus to a field of a panel each time that it is opened; `begin` shows its form first. */
export const useOpened = (id: string, place: RefObject<HTMLElement | null>, begin?: () => void): void => {
  const { opened } = useBuilder();
  useEffect(() => {
    if (opened?.blockId !== id || !place.current) return;
    begin?.();
    focusField(place.current, opened.path);
    // What begins changes with each render and does the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [opened, id, place]);
};
