import { h, icon, setAttribute } from '../dom.ts';
import type { Attachment, Upload } from '../live/wire.ts';
import type { Place } from '../loader/place.ts';
import type { Texts } from '../texts.ts';
import type { Choice } from '../thread/outbox.ts';
import type { FreshLinks } from '../thread/fresh-links.ts';
import type { Item } from '../thread/timeline.ts';
import type { Draft } from '../thread/draft.ts';
import { createComposer } from './composer.ts';
import { icons } from './icons.ts';
import { createScroller } from './scroller.ts';
import { createThreadView } from './thread-view.ts';

/** What the panel shows. */
type Shown = {
  items: readonly Item[];
  /** Another number than before where items were said before. */
  pages: number;
  typing: 'bot' | 'agent' | undefined;
  agent: string | null;
  /** What is wrong with the connection, in words. */
  trouble: string;
  /** That nobody is there to answer, in words. */
  away: string;
  /** Whether the visitor may send files. */
  mayAttach: boolean;
  hasOlder: boolean;
};

export type Panel = {
  element: HTMLElement;
  show: (shown: Shown) => void;
  focus: () => void;
  toEnd: () => void;
  isAtEnd: () => boolean;
  clear: () => void;
};

export type PanelOptions = {
  place: Place;
  texts: Texts;
  draft: Draft;
  send: (text: string, more?: { choice?: Choice; files?: Attachment[] }) => boolean;
  upload: Upload;
  typing: (isTyping: boolean) => void;
  retry: (clientId: string) => void;
  discard: (clientId: string) => void;
  readOlder: () => Promise<void>;
  renewLinks: FreshLinks['renew'];
  seen: () => void;
  close: () => void;
};

/** After a failure, scrolling reads no older messages for so long, in ms. */
const olderAgainMs = 5_000;

/** Everything of the chat but its button. */
export const createPanel = (options: PanelOptions): Panel => {
  const { place, texts, draft, send, upload, typing, retry, discard, readOlder, renewLinks, seen, close } = options;
  const { frame, root } = place.launcher;

  /** Has the keyboard where it is when no button has it. The one of a phone would cover the thread. */
  const rest = (): void => {
    if (matchMedia('(pointer: coarse)').matches) scroller.element.focus({ preventScroll: true });
    else composer.focus();
  };

  /** Has the keyboard stay in the dialog when what had it is gone, or hidden. */
  const keepKeyboard = (held: Element | null): void => {
    if (!held || element.hidden || (held.isConnected && !held.closest('[hidden]'))) return;
    if ((root.activeElement ?? held) === held) rest();
  };

  const answer = (reply: string, choice: Choice): void => {
    if (!send(reply, { choice })) return;
    scroller.toEnd();
    rest();
  };
  const thread = createThreadView({ texts, base: place.base, retry, discard, renewLinks, answer });
  const dots = h('div', { class: 'dots' }, h('i'), h('i'), h('i'));
  const typingText = h('span', { class: 'unseen' });
  const typingRow = h('div', { class: 'typing', role: 'status' }, dots, typingText);
  const older = h('button', { type: 'button', class: 'word older', hidden: true }, texts.older);
  let olderAgainAt = 0;
  const showOlder = async (): Promise<void> => {
    // It keeps the keyboard, which a disabled one would not.
    setAttribute(older, 'aria-disabled', 'true');
    await readOlder().catch(() => (olderAgainAt = Date.now() + olderAgainMs));
    setAttribute(older, 'aria-disabled', undefined);
  };
  const atStart = (): void => {
    if (Date.now() >= olderAgainAt) void showOlder();
  };
  const content = h('div', { class: 'content' }, older, thread.element, typingRow);
  const scroller = createScroller({ texts, content, atStart, atEnd: seen });
  const composer = createComposer({
    texts,
    draft,
    typing,
    mostText: place.config.mostText,
    upload,
    send: (text, files) => {
      const isSent = send(text, { files });
      if (isSent) scroller.toEnd();
      return isSent;
    },
  });

  const title = h('h2', { id: 'title', dir: 'auto' }, place.config.title);
  const agent = h('bdi', { class: 'agent' });
  const subtitle = h('p', {}, agent, h('bdi', {}, texts.hours));
  const closer = h('button', { type: 'button', class: 'closer', 'aria-label': texts.close }, icon(icons.close));
  const trouble = h('div', { class: 'trouble', role: 'status' });
  const away = h('div', { class: 'away', role: 'status', dir: 'auto' });
  const element = h(
    'div',
    { class: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
    h('header', {}, h('div', { class: 'heading' }, title, subtitle), closer),
    trouble,
    away,
    h('div', { class: 'middle' }, scroller.element, scroller.jump),
    composer.element,
  );
  closer.addEventListener('click', close);
  older.addEventListener('click', () => void showOlder());
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) close();
  });
  // After those of the buttons themselves, some of which are gone by then.
  element.addEventListener('click', ({ target }) => {
    keepKeyboard(target instanceof Element ? target.closest('button') : null);
  });
  composer.takeDropped(element);
  frame.append(element);

  return {
    element,
    toEnd: scroller.toEnd,
    isAtEnd: scroller.isAtEnd,
    clear: composer.clear,
    focus: () => {
      // A phone would cover half of what there is to read with its keyboard.
      if (matchMedia('(pointer: coarse)').matches) closer.focus({ preventScroll: true });
      else composer.focus();
    },
    show: (shown) => {
      const held = root.activeElement;
      scroller.keep(() => {
        thread.show(shown.items, shown.pages);
        older.hidden = !shown.hasOlder;
        const who = shown.typing && (shown.typing === 'agent' ? (shown.agent ?? texts.agent) : texts.bot);
        setAttribute(typingRow, 'data-on', who !== undefined);
        const said = who === undefined ? '' : `${who} ${texts.typing}`;
        if (typingText.textContent !== said) typingText.textContent = said;
      });
      composer.letAttach(shown.mayAttach);
      keepKeyboard(held);
      agent.textContent = shown.agent ?? '';
      subtitle.hidden = !shown.agent && texts.hours === '';
      if (trouble.textContent !== shown.trouble) trouble.textContent = shown.trouble;
      if (away.textContent !== shown.away) away.textContent = shown.away;
    },
  };
};
