import { useEffect, useRef } from 'react';

/** What keys do, by the key without modifiers. */
type Keys = Readonly<Record<string, (() => void) | undefined>>;

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** Whether something stands over the page that takes the keys itself. */
const isCovered = (): boolean =>
  [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]')].some(
    // Lists of closed fields stay in the page, and are not shown.
    (one) => one.getClientRects().length > 0,
  );

/** Keys that go on while they are held down; each of the others acts once. */
const repeating: ReadonlySet<string> = new Set(['j', 'k']);

/** Hears single keys while nothing is written and nothing stands over the page. */
export const useKeys = (keys: Keys, isOn: boolean): void => {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (isWritten(event.target) || isCovered()) return;
      const key = event.key.toLowerCase();
      const act = latest.current[key];
      if (!act || (event.repeat && !repeating.has(key))) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
};

/** Gives the focus to the row of the list that is so many below the one that has it, or below the open one; else to the first. */
export const moveInList = (by: 1 | 0 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('.inbox-row')];
  const here = rows.findIndex((row) => row === document.activeElement);
  const from = here >= 0 ? here : rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const next = from < 0 ? 0 : Math.min(Math.max(from + by, 0), rows.length - 1);
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: 'nearest' });
};
