import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** Begins a page that is gone to at its top, and shows one that is gone back to where it was left. Other filters of a page leave it in its place. */
export const useScrollPlace = (): void => {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const places = useRef(new Map<string, number>());
  const shown = useRef(pathname);
  // A browser would scroll the page that is left, before the other one is there.
  useEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);
  useLayoutEffect(() => {
    if (shown.current !== pathname) {
      shown.current = pathname;
      scrollTo(0, type === NavigationType.Pop ? (places.current.get(key) ?? 0) : 0);
    }
    const keep = (): void => void places.current.set(key, scrollY);
    keep();
    addEventListener('scroll', keep, { passive: true });
    return () => removeEventListener('scroll', keep);
  }, [key, pathname, type]);
};
