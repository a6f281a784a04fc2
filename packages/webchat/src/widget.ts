import { h, icon, setAttribute, sheetOf } from './dom.ts';
import type { Place, Widget } from './loader/place.ts';
import { followOffice } from './live/office.ts';
import { createSession } from './session.ts';
import { createStore } from './store.ts';
import { localeOf, textsOf } from './texts.ts';
import { createDraft } from './thread/draft.ts';
import { buildTimeline } from './thread/timeline.ts';
import { icons } from './view/icons.ts';
import { covering, followKeyboard, followLooks } from './view/looks.ts';
import css from './view/panel.css?inline';
import { createPanel, type Panel } from './view/panel.ts';

/** Nobody types for longer without a word, or their connection is gone, in ms. */
const typingMs = 30_000;

/** Starts the chat behind the loader's button. The page's JS API drives it. */
export const startWidget = (place: Place): Widget => {
  const { config, channel, launcher, emit } = place;
  const { button, frame, root } = launcher;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(css)];
  const badge = h('span', { class: 'badge', 'aria-hidden': 'true', hidden: true });
  // What the badge shows to eyes.
  const spoken = h('span', { class: 'unseen', role: 'status' });
  button.append(icon(icons.fold, 'down'), badge);
  button.after(spoken);
  const texts = textsOf(config.texts);
  const locale = localeOf(texts.language, navigator.languages);
  const ended = new AbortController();
  const { signal } = ended;
  const applyLooks = followLooks(place, texts, signal);
  let panel: Panel | undefined;
  let isOpen = false;
  let unread = 0;
  let frameAsked = 0;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;
  let opener: Element | null = null;

  const tab = createStore(channel, () => sessionStorage);
  const draft = createDraft(tab, () => session.who());
  const session = createSession({
    place,
    changed: () => (frameAsked ||= requestAnimationFrame(draw)),
    heard: ({ id, text, author, authorName }) => emit('message', { id, text, author, author_name: authorName }),
    cleared: () => {
      // Also where this page has not shown the chat yet.
      draft.write('');
      panel?.clear();
    },
  });
  const { thread, outbox } = session;
  const office = followOffice({ place, changed: () => draw(), signal });

  const isSeen = (): boolean => isOpen && document.visibilityState === 'visible' && (panel?.isAtEnd() ?? false);

  const showUnread = (): void => {
    const count = session.unread();
    if (count === unread) return;
    unread = count;
    badge.hidden = count === 0;
    badge.textContent = count > 99 ? '99+' : String(count);
    spoken.textContent = count > 0 && !isOpen ? `${count} ${texts.unread}` : '';
    labelButton();
    emit('unread', count);
  };

  const labelButton = (): void => {
    const label = isOpen ? texts.close : texts.launcher;
    setAttribute(button, 'aria-label', unread > 0 ? `${label}, ${unread} ${texts.unread}` : label);
  };

  const trouble = (): string => {
    if (!navigator.onLine) return texts.offline;
    return session.link() === 'connecting' ? texts.connecting : '';
  };

  const draw = (): void => {
    frameAsked = 0;
    if (signal.aborted) return;
    const { bot, agent } = thread.typing;
    clearTimeout(typingTimer);
    if (bot || agent) {
      typingTimer = setTimeout(() => {
        thread.setTyping({ bot: false, agent: false });
        draw();
      }, typingMs);
    }
    if (isOpen) {
      panel?.show({
        items: buildTimeline({
          messages: thread.messages(),
          pending: outbox.list(),
          // It stands before all that was said, and would give way to it.
          greeting: session.awaitsHistory() ? '' : config.greeting,
          hasOlder: thread.hasOlder,
          texts,
          locale,
          now: new Date(),
        }),
        pages: thread.pages,
        typing: agent ? 'agent' : bot ? 'bot' : undefined,
        agent: thread.agent,
        trouble: trouble(),
        away: office.isAway() ? texts.away : '',
        mayAttach: session.mayAttach(),
        hasOlder: thread.hasOlder,
      });
    }
    if (isSeen()) session.markRead();
    showUnread();
  };

  const build = (): Panel => {
    const built = createPanel({
      place,
      texts,
      draft,
      send: outbox.add,
      upload: session.upload,
      typing: session.tellTyping,
      retry: outbox.retry,
      discard: outbox.discard,
      readOlder: session.readOlder,
      renewLinks: session.renewLinks,
      seen: () => {
        if (isSeen()) session.markRead();
        showUnread();
      },
      close: () => close(),
    });
    followKeyboard(built.element, signal);
    return built;
  };

  const show = (takesFocus: boolean): void => {
    if (isOpen) return;
    applyLooks();
    opener = document.activeElement;
    panel ??= build();
    isOpen = true;
    panel.element.hidden = false;
    setAttribute(frame, 'data-open', true);
    setAttribute(button, 'aria-expanded', 'true');
    labelButton();
    tab.set('open', '1');
    panel.toEnd();
    draw();
    panel.toEnd();
    if (takesFocus) panel.focus();
    emit('open', undefined);
  };

  const close = (): void => {
    if (!isOpen || !panel) return;
    const hadFocus = panel.element.contains(root.activeElement);
    isOpen = false;
    panel.element.hidden = true;
    setAttribute(frame, 'data-open', false);
    setAttribute(button, 'aria-expanded', 'false');
    labelButton();
    tab.remove('open');
    session.tellTyping(false);
    // Back to where the keyboard was: the page's own button, or that of the chat.
    if (hadFocus) {
      const isElsewhere = opener instanceof HTMLElement && opener !== document.body && opener !== launcher.host;
      if (isElsewhere && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else button.focus();
    }
    emit('close', undefined);
  };

  const wake = (isNetworkNew: boolean) => (): void => {
    if (document.visibilityState === 'visible') {
      session.wake(isNetworkNew);
      office.look();
    }
    draw();
  };
  document.addEventListener('visibilitychange', wake(false), { signal });
  window.addEventListener('pageshow', wake(false), { signal });
  window.addEventListener('online', wake(true), { signal });
  window.addEventListener('offline', draw, { signal });
  // Keys of the chat are no shortcuts of the site.
  for (const type of ['keydown', 'keyup', 'keypress'] as const) {
    frame.addEventListener(type, (event) => event.stopPropagation(), { signal });
  }
  // A visitor who goes from page to page keeps the chat open, but on a phone, where it covers the page.
  if (session.isReturn || (tab.get('open') !== null && !matchMedia(covering).matches)) show(false);
  draw();

  return {
    open: () => show(true),
    close,
    toggle: () => (isOpen ? close() : show(true)),
    identify: session.identify,
    destroy: () => {
      ended.abort();
      cancelAnimationFrame(frameAsked);
      clearTimeout(typingTimer);
      session.destroy();
    },
  };
};
