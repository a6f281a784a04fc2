import { readConfig, type Config } from './config.ts';
import { createEvents } from './events.ts';
import { drawLauncher, type Launcher } from './loader/launcher.ts';
import type { Widget, WidgetModule } from './loader/place.ts';
import type { Call, PageApi } from './page-api.ts';
import { storedName } from './store.ts';

/** The name of the widget's file, which is set when the loader is built. */
declare const widgetFile: string;

/** Waits before config or widget are asked for again, in ms. */
const waits = [1_000, 4_000, 15_000, 60_000];

/** Storage may refuse everything. */
const isStored = (storage: 'localStorage' | 'sessionStorage', channel: string, key: string): boolean => {
  try {
    return window[storage].getItem(storedName(channel, key)) !== null;
  } catch {
    return false;
  }
};

/** Puts the chat of the script's channel on the page. */
const begin = (script: HTMLScriptElement, early: readonly Call[]): PageApi => {
  const base = script.src.replace(/\.js(\?.*)?$/, '');
  const channel = base.slice(base.lastIndexOf('/') + 1);
  const scheme = script.dataset['scheme'];
  const { on, emit } = createEvents();
  const ended = new AbortController();
  const { signal } = ended;
  let config: Config;
  let launcher: Launcher | undefined;
  let loading: Promise<Widget> | undefined;
  let drawn: (launcher: Launcher) => void;
  const whenDrawn = new Promise<Launcher>((resolve) => (drawn = resolve));

  /** Tries again after each wait, until the chat is taken off the page. */
  const persist = async <T>(work: (tries: number) => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work(tries);
      } catch (error) {
        const wait = waits[tries];
        if (signal.aborted || wait === undefined) throw error;
        await new Promise((done) => setTimeout(done, wait));
        signal.throwIfAborted();
      }
    }
  };

  const start = async (): Promise<Widget> => {
    const launcher = await whenDrawn;
    launcher.button.ariaBusy = 'true';
    try {
      // An import needs no policy of Trusted Types, and leaves no element and no global. Browsers remember one that has failed by its address.
      const { startWidget } = await persist<WidgetModule>(
        (tries) => import(/* @vite-ignore */ `${base}/${widgetFile}${tries > 0 ? `?${tries}` : ''}`),
      );
      signal.throwIfAborted();
      const widget = startWidget({ base, channel, config, launcher, emit, scheme });
      signal.addEventListener('abort', widget.destroy);
      emit('ready', undefined);
      return widget;
    } catch (error) {
      loading = undefined;
      throw error;
    } finally {
      launcher.button.ariaBusy = 'false';
    }
  };

  /** Loads the widget once; after a failure the next call tries again. */
  const load = (): Promise<Widget> => (loading ??= start());

  /** Calls come in the order in which the page makes them, also while the widget is loaded. */
  const ask = (work: (widget: Widget) => void): void => void load().then(work, () => {});

  const api: PageApi = {
    on,
    open: () => ask((widget) => widget.open()),
    close: () => ask((widget) => widget.close()),
    toggle: () => ask((widget) => widget.toggle()),
    identify: async (identity) => (await load()).identify(identity),
    destroy: () => {
      ended.abort();
      launcher?.detach();
      if (window.ParleyWebchat === api) delete window.ParleyWebchat;
    },
    push: (...calls) => {
      for (const [name, ...args] of calls) {
        const method: unknown = Object.hasOwn(api, name) && Reflect.get(api, name);
        if (typeof method === 'function') Reflect.apply(method, api, args);
      }
    },
  };

  const draw = (answer: unknown): void => {
    config = readConfig(answer);
    launcher = drawLauncher(config, config.texts['launcher'] || 'Open chat');
    launcher.button.addEventListener('click', api.toggle, { signal });
    for (const sign of ['pointerenter', 'focus']) {
      launcher.button.addEventListener(sign, () => ask(() => {}), { signal, once: true });
    }
    drawn(launcher);
    // Somebody who has written before sees how much is unread, and a link of a mail leads into the chat.
    if (
      isStored('localStorage', channel, 'token') ||
      isStored('sessionStorage', channel, 'open') ||
      location.hash.includes('parley-chat=')
    )
      ask(() => {});
  };

  const readConfigAndDraw = async (): Promise<void> => {
    const body = await persist(async (): Promise<unknown> => {
      const answer = await fetch(`${base}/config`, { credentials: 'omit', signal });
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    });
    if (!document.body) await new Promise((done) => document.addEventListener('DOMContentLoaded', done, { signal }));
    if (!signal.aborted) draw(body);
  };

  // A channel that is gone, or a site that it does not allow, has no chat.
  readConfigAndDraw().catch(() => {});
  queueMicrotask(() => api.push(...early));
  return api;
};

const present = window.ParleyWebchat;
const script = document.currentScript;
// A second script on the same page finds the chat of the first one, and leaves it alone.
if (script instanceof HTMLScriptElement && (present === undefined || Array.isArray(present))) {
  window.ParleyWebchat = begin(script, present ?? []);
}
