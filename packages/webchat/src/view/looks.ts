import { legibleOn } from '../colors.ts';
import type { Place } from '../loader/place.ts';
import type { Texts } from '../texts.ts';

/** What text of the configured colour stands on. Both are in panel.css as well. */
const grounds = { light: '#ffffff', dark: '#17191e' } as const;

/** Where the chat covers the page: phones, also those that are held sideways. It is in panel.css as well. */
export const covering = '(max-width: 480px), (max-height: 480px)';

/** Has the chat follow the page's direction and colour scheme until the signal is aborted. */
export const followLooks = ({ config, launcher, scheme }: Place, texts: Texts, signal: AbortSignal): (() => void) => {
  const { frame } = launcher;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const isDark = scheme === 'dark' || (scheme !== 'light' && prefersDark.matches);
    const name = isDark ? 'dark' : 'light';
    frame.dataset['scheme'] = name;
    frame.style.setProperty('--accent-text', legibleOn(config.color, grounds[name]));
    frame.dir = getComputedStyle(document.documentElement).direction;
    frame.lang = texts.language;
  };
  apply();
  prefersDark.addEventListener('change', apply, { signal });
  return apply;
};

/** Has the panel end above the keyboard of a phone, which covers the page and does not shrink it. */
export const followKeyboard = (panel: HTMLElement, signal: AbortSignal): void => {
  const view = window.visualViewport;
  if (!view) return;
  const fit = (): void => {
    panel.style.setProperty('--height', `${view.height}px`);
    panel.style.setProperty('--top', `${view.offsetTop}px`);
  };
  fit();
  view.addEventListener('resize', fit, { signal });
  view.addEventListener('scroll', fit, { signal });
};
