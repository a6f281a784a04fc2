import { h, setAttribute } from '../dom.ts';
import type { Choice } from '../thread/outbox.ts';
import type { Bubble, Item } from '../thread/timeline.ts';
import { relink } from './attachments.ts';
import { drawAvatar, drawContent, drawMeta, type BubbleOptions } from './bubble.ts';

export type ThreadView = {
  element: HTMLElement;
  show: (items: readonly Item[], pages: number) => void;
};

type Shown = { element: HTMLElement; update: (item: Item) => void };

export type ThreadViewOptions = BubbleOptions & { answer: (reply: string, choice: Choice) => void };

/** All but links to files, which are others in each answer. */
const contentKey = ({ name, text, imageUrl, attachments }: Bubble): string =>
  JSON.stringify([
    name,
    text,
    imageUrl,
    attachments.map((file) => ({ ...file, url: !file.url, thumbnail: !file.thumbnail })),
  ]);

const linksKey = ({ attachments }: Bubble): string => attachments.map(({ url }) => url).join(' ');

const metaKey = ({ status, reason, time, isLast }: Bubble): string => JSON.stringify([status, reason, time, isLast]);

/** A message whose parts change alone: what stays is not said again by screen readers. */
const showMessage = (first: Bubble, options: BubbleOptions): Shown => {
  let shown = first;
  let content = drawContent(first, options);
  let meta = drawMeta(first, options);
  const name = h('div', { class: 'name', 'aria-hidden': 'true', dir: 'auto' }, first.name);
  const avatar = drawAvatar(first);
  const element = h('div', {}, avatar, h('div', { class: 'column' }, name, content, meta));
  const mark = ({ isMine, isFirst, isLast, status, time }: Bubble): void => {
    element.className = `message ${isMine ? 'mine' : 'theirs'} ${status}`;
    setAttribute(element, 'data-first', isFirst);
    setAttribute(element, 'data-last', isLast);
    setAttribute(element, 'data-bare', time === '');
    name.hidden = isMine || !isFirst;
  };
  mark(first);
  return {
    element,
    update: (item) => {
      if (item.kind !== 'message') return;
      const { bubble } = item;
      const isOther = contentKey(bubble) !== contentKey(shown);
      const isRelinked = linksKey(bubble) === linksKey(shown) || relink(content, bubble.attachments, options);
      if (isOther || !isRelinked) {
        const drawn = drawContent(bubble, options);
        content.replaceWith(drawn);
        content = drawn;
        name.textContent = bubble.name;
      }
      if (metaKey(bubble) !== metaKey(shown)) {
        const drawn = drawMeta(bubble, options);
        meta.replaceWith(drawn);
        meta = drawn;
      }
      mark(bubble);
      shown = bubble;
    },
  };
};

/** What was "Today" is "Yesterday" after midnight. */
const showDay = (first: string): Shown => {
  const element = h('div', { class: 'day' }, first);
  return {
    element,
    update: (item) => {
      if (item.kind === 'day' && item.label !== element.textContent) element.textContent = item.label;
    },
  };
};

const showItem = (item: Item, options: ThreadViewOptions): Shown => {
  if (item.kind === 'message') return showMessage(item.bubble, options);
  if (item.kind === 'day') return showDay(item.label);
  const buttons = item.replies.map((reply, index) => {
    const element = h('button', { type: 'button', class: 'reply', dir: 'auto' }, reply);
    element.addEventListener('click', () => options.answer(reply, { messageId: item.messageId, index }));
    return element;
  });
  const element = h('div', { class: 'replies', role: 'group', 'aria-label': options.texts.replies }, ...buttons);
  return { element, update: () => {} };
};

/** The messages. Screen readers hear those that come, and not those that were there. */
export const createThreadView = (options: ThreadViewOptions): ThreadView => {
  const element = h('div', { class: 'log', role: 'log', 'aria-label': options.texts.messages, 'aria-live': 'off' });
  let shown = new Map<string, Shown>();
  let shownPages = 0;
  let frame = 0;
  return {
    element,
    show: (items, pages) => {
      cancelAnimationFrame(frame);
      if (pages !== shownPages) setAttribute(element, 'aria-live', 'off');
      shownPages = pages;
      const next = new Map<string, Shown>();
      const keys = new Set(items.map(({ key }) => key));
      for (const [key, entry] of shown) if (!keys.has(key)) entry.element.remove();
      let before: Element | null = null;
      for (const item of items) {
        const known = shown.get(item.key);
        const entry = known ?? showItem(item, options);
        if (known) known.update(item);
        next.set(item.key, entry);
        const expected: Element | null = before ? before.nextElementSibling : element.firstElementChild;
        if (expected !== entry.element) element.insertBefore(entry.element, expected);
        before = entry.element;
      }
      shown = next;
      if (items.length > 0) frame = requestAnimationFrame(() => setAttribute(element, 'aria-live', 'polite'));
    },
  };
};
