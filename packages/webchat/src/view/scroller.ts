import { h, icon } from '../dom.ts';
import type { Texts } from '../texts.ts';
import { icons } from './icons.ts';

export type Scroller = {
  element: HTMLElement;
  /** Leads down while the end is out of sight. */
  jump: HTMLElement;
  /** Makes a change, and stays at the end where it was, or at the same message. */
  keep: (change: () => void) => void;
  toEnd: () => void;
  isAtEnd: () => boolean;
};

export type ScrollerOptions = {
  texts: Texts;
  content: HTMLElement;
  /** Is called when the visitor comes near the beginning, and at the end. */
  atStart: () => void;
  atEnd: () => void;
};

/** So near to the end counts as there, in px. */
const nearPx = 48;

export const createScroller = ({ texts, content, atStart, atEnd }: ScrollerOptions): Scroller => {
  const element = h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': texts.messages }, content);
  const jump = h(
    'button',
    { type: 'button', class: 'jump', 'aria-label': texts.latest, hidden: true },
    icon(icons.down),
  );
  let follows = true;
  let top = 0;
  const fromEnd = (): number => element.scrollHeight - element.scrollTop - element.clientHeight;
  const toEnd = (): void => {
    element.scrollTop = element.scrollHeight;
    follows = true;
    jump.hidden = true;
  };
  element.addEventListener(
    'scroll',
    () => {
      // What grows at the end moves nothing: only a person scrolls up.
      if (fromEnd() < nearPx) follows = true;
      else if (element.scrollTop < top) follows = false;
      top = element.scrollTop;
      jump.hidden = follows;
      if (follows) atEnd();
      if (element.scrollTop < 80) atStart();
    },
    { passive: true },
  );
  // Images get their size, the keyboard of a phone comes: the end stays in sight.
  const sizes = new ResizeObserver(() => {
    if (follows) toEnd();
  });
  sizes.observe(content);
  sizes.observe(element);
  jump.addEventListener('click', () => {
    toEnd();
    atEnd();
  });
  return {
    element,
    jump,
    toEnd,
    isAtEnd: () => follows,
    keep: (change) => {
      const before = { end: fromEnd(), top: element.scrollTop };
      change();
      if (follows) toEnd();
      // What came at the beginning moves what the visitor reads; what came at the end does not.
      else if (before.top < 80) element.scrollTop = element.scrollHeight - element.clientHeight - before.end;
    },
  };
};
