import { readConfig, type Config } from './config.ts';
import { createEvents } from './events.ts';
import { drawLauncher, type Launcher } from './loader/launcher.ts';
import type { Widget, WidgetModule } from './loader/place.ts';
import type { Call, PageApi } from './page-api.ts';
import { storedName } from './store.ts';

/** The name of the widget's file, which is set when the loader is built. */
declare const widgetFile: string;

/** Waits before config or widget are asked for again, in ms, and the one after those. */
const waits = [1_000, 4_000, 15_000, 60_000];
const lastWait = 300_000;

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
  let loading: Promise<Widget> | undefined;
  let imports = 0;

  /** Waits until the page, the network or the visitor is there: answers 0; or so many ms: answers 1. Throws once the chat is taken off the page. */
  const pause = async (ms: number): Promise<number> => {
    const over = new AbortController();
    let timer;
    const waited = await new Promise<number>((done) => {
      timer = setTimeout(done, ms, 1);
      const wake = ({ type }: Event): void => {
        if (type[0] !== 'v' || !document.hidden) done(0);
      };
      for (const sign of ['DOMContentLoaded', 'visibilitychange', 'online']) window.addEventListener(sign, wake, over);
      signal.addEventListener('abort', wake, over);
    });
    clearTimeout(timer);
    over.abort();
    signal.throwIfAborted();
    return waited;
  };

  /** Tries again after each wait, at most so often; a try that a sign brought on is not counted. */
  const persist = async <T>(work: () => Promise<T>, most: number): Promise<T> => {
    for (let tries = 0; ;) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || tries >= most) throw error;
        tries += await pause(waits[tries] ?? lastWait);
      }
    }
  };

  const start = async (): Promise<Widget> => {
    const launcher = await whenDrawn;
    launcher.button.ariaBusy = 'true';
    try {
      // An import needs no policy of Trusted Types, and leaves no element and no global. Browsers remember one that has failed by its address.
      const { startWidget } = await persist<WidgetModule>(
        () => import(/* @vite-ignore */ `${base}/${widgetFile}${imports++ ? `?${imports}` : ''}`),
        waits.length,
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
      if (window.ParleyWebchat === api) delete window.ParleyWebchat;
    },
    push: (...calls) => {
      for (const [name, ...args] of calls) {
        const method: unknown = Object.hasOwn(api, name) && Reflect.get(api, name);
        if (typeof method === 'function') Reflect.apply(method, api, args);
      }
    },
  };

  /** Draws the button, as soon as there is a network. Throws where there is no chat. */
  const draw = async (): Promise<Launcher> => {
    const body = await persist(async (): Promise<unknown> => {
      const answer = await fetch(`${base}/config`, { credentials: 'omit', signal });
      if (answer.ok) return answer.json();
      if (answer.status === 429 || answer.status >= 500) throw answer;
      // A channel that is gone has no chat. A site that it does not allow cannot read so: that looks like no network.
      return undefined;
    }, Infinity);
    if (!body) throw new Error(`No webchat: ${base}`);
    while (!document.body) await pause(lastWait);
    config = readConfig(body);
    const launcher = drawLauncher(config, config.texts['launcher'] || 'Open chat');
    signal.addEventListener('abort', launcher.detach);
    launcher.button.addEventListener('click', api.toggle, { signal });
    for (const sign of ['pointerenter', 'focus']) {
      launcher.button.addEventListener(sign, () => ask(() => {}), { signal, once: true });
    }
    // Somebody who has written before sees how much is unread, and a link of a mail leads into the chat.
    if (
      isStored('localStorage', channel, 'token') ||
      isStored('sessionStorage', channel, 'open') ||
      location.hash.includes('parley-chat=')
    )
      ask(() => {});
    return launcher;
  };

  const whenDrawn = draw();
  whenDrawn.catch(() => {});
  queueMicrotask(() => api.push(...early));
  return api;
};

const present = window.ParleyWebchat;
const script = document.currentScript;
// A second script on the same page finds the chat of the first one, and leaves it alone.
if (script instanceof HTMLScriptElement && (present === undefined || Array.isArray(present))) {
  window.ParleyWebchat = begin(script, present ?? []);
}
