import { inkOn } from '../colors.ts';
import type { Config } from '../config.ts';
import { h, icon, sheetOf } from '../dom.ts';
import css from './launcher.css?inline';

/** The element of the page that the chat lives in. */
export type Launcher = {
  host: HTMLElement;
  root: ShadowRoot;
  /** What all of the chat is in: it has its colours, side and direction. */
  frame: HTMLElement;
  button: HTMLButtonElement;
  /** Takes it off the page for good. */
  detach: () => void;
};

const talk =
  'M21 11.5a8.4 8.4 0 0 1-8.5 8.3 8.6 8.6 0 0 1-3.7-.8L3 21l1.9-5.5a8.2 8.2 0 0 1-.9-4A8.4 8.4 0 0 1 12.5 3.2 8.4 8.4 0 0 1 21 11.5z';

/** Draws the button. */
export const drawLauncher = (config: Config, label: string): Launcher => {
  const button = h(
    'button',
    { class: 'launcher', type: 'button', 'aria-label': label, 'aria-expanded': 'false' },
    icon(talk, 'talk'),
  );
  const frame = h(
    'div',
    { class: 'frame', 'data-side': config.side },
    h('section', { 'aria-label': config.title }, button),
  );
  frame.style.setProperty('--accent', config.color);
  frame.style.setProperty('--ink', inkOn(config.color));
  const host = document.createElement('parley-webchat');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheetOf(css)];
  root.append(frame);
  const attach = (): void => {
    if (host.isConnected || !document.body) return;
    document.body.append(host);
    // In the top layer nothing of the site covers the chat, and no transform of its body moves it.
    if ('popover' in host) {
      host.popover = 'manual';
      host.showPopover();
    }
    // Sites that go from page to page without loading put another body in the place of theirs.
    for (const parent of [document.documentElement, document.body]) observer.observe(parent, { childList: true });
  };
  const observer = new MutationObserver(attach);
  attach();
  const detach = (): void => {
    observer.disconnect();
    host.remove();
  };
  return { host, root, frame, button, detach };
};
