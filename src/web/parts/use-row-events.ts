import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { rowAttributes } from './list-row.tsx';
import type { Selection } from './use-selection.ts';

type Given = {
  /** Undefined where rows cannot be selected. */
  selection: Selection | undefined;
  /** Gets the row that has the focus. */
  setStop: (key: string) => void;
};

/** What does something of its own where it is clicked. */
const ownClicks = 'a, button, input, label, select, textarea, summary, [role=button]';

const rowOf = ({ target }: { target: EventTarget }): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(`[${rowAttributes.key}]`) : null;

const keyOf = (row: HTMLElement): string => row.getAttribute(rowAttributes.key) ?? '';

const hrefOf = (row: HTMLElement): string | null => row.getAttribute(rowAttributes.href);

const isOwnClick = ({ target }: MouseEvent): boolean => target instanceof Element && target.closest(ownClicks) !== null;

/** A drag that has marked text ends with a click as well. */
const isReading = (): boolean => getSelection()?.isCollapsed === false;

const isRow = (element: Element | null): element is HTMLElement => element?.hasAttribute(rowAttributes.key) === true;

/** Where a key leads from a row. Letters act only where a row has the focus, as WCAG 2.1.4 asks. */
const steps: Readonly<Record<string, (row: HTMLElement) => Element | null>> = {
  ArrowDown: (row) => row.nextElementSibling,
  j: (row) => row.nextElementSibling,
  ArrowUp: (row) => row.previousElementSibling,
  k: (row) => row.previousElementSibling,
  Home: (row) => row.parentElement?.firstElementChild ?? null,
  End: (row) => row.parentElement?.lastElementChild ?? null,
};

/** Makes whole rows open their pages, by mouse and keyboard: one listener for all of a list, because lists show hundreds of rows. */
export const useRowEvents = ({ selection, setStop }: Given) => {
  const navigate = useNavigate();
  const open = (href: string, isElsewhere: boolean): void => {
    if (isElsewhere) window.open(href, '_blank', 'noopener');
    else void navigate(href);
  };

  const click = (event: MouseEvent): void => {
    const row = rowOf(event);
    if (!row) return;
    const { target, ctrlKey, metaKey, shiftKey } = event;
    if (target instanceof HTMLInputElement && selection) return selection.toggle(keyOf(row), { isRange: shiftKey });
    const href = hrefOf(row);
    if (href === null || shiftKey || isOwnClick(event) || isReading()) return;
    open(href, ctrlKey || metaKey);
  };

  const isMiddleOnRow = (event: MouseEvent): boolean =>
    event.button === 1 && !isOwnClick(event) && rowOf(event)?.hasAttribute(rowAttributes.href) === true;

  const press = (event: KeyboardEvent): void => {
    const row = rowOf(event);
    if (!row || event.altKey) return;
    const { key, ctrlKey, metaKey, shiftKey, target } = event;
    const href = hrefOf(row);
    if (key === 'Enter' && target === row && href !== null) return open(href, ctrlKey || metaKey);
    if (ctrlKey || metaKey) return;
    if (key === 'Escape' && selection && selection.selected.size > 0) return selection.clear();
    const letter = key.length === 1 ? key.toLowerCase() : key;
    if (letter === 'x' && selection) return selection.toggle(keyOf(row));
    const next = steps[letter]?.(row) ?? null;
    if (!isRow(next)) return;
    event.preventDefault();
    if (shiftKey) selection?.add([keyOf(row), keyOf(next)]);
    next.focus();
  };

  return {
    onClick: click,
    onAuxClick: (event: MouseEvent): void => {
      const href = isMiddleOnRow(event) ? rowOf(event)?.getAttribute(rowAttributes.href) : undefined;
      if (href) open(href, true);
    },
    // Otherwise a middle click begins to scroll.
    onMouseDown: (event: MouseEvent): void => {
      if (isMiddleOnRow(event)) event.preventDefault();
    },
    onKeyDown: press,
    onFocus: (event: FocusEvent): void => {
      const row = rowOf(event);
      if (row) setStop(keyOf(row));
    },
  };
};
