import { parseOrNothing } from '../../shared/platform/json/parse-or-nothing.ts';

const names = ['message', 'presence', 'conversation', 'typing'] as const;

/** An event of the server's stream. */
export type StreamEvent = { name: (typeof names)[number]; data: string };

/** A page that listens. */
export type StreamListener = {
  hear: (event: StreamEvent) => void;
  /** The stream has begun, again or for the first time: nobody has told of what changed until then. */
  begin: () => void;
  lose: () => void;
  /** There is no stream, and a while has passed. */
  lack: () => void;
};

/** How long after a refused stream it is asked for again, in ms. A browser does that by itself only after a lost connection. */
const againMs = 30_000;

/** The server gives a sign of life every 15 s: after so long without any, in ms, the connection is dead. */
const silentMs = 40_000;

/** How long a page that is shown again waits for the one that has the stream, in ms. */
const answerMs = 2_000;

/** The name of the lock that the page with the stream holds, and of the channel on which it shares. */
const name = 'parley-stream';

/** The moments at which a page may have slept, or lost its connection unnoticed. */
const onWake = (wake: () => void): (() => void) => {
  const wakeIfShown = (): void => {
    if (!document.hidden) wake();
  };
  document.addEventListener('visibilitychange', wakeIfShown);
  for (const event of ['online', 'pageshow', 'resume']) window.addEventListener(event, wakeIfShown);
  return () => {
    document.removeEventListener('visibilitychange', wakeIfShown);
    for (const event of ['online', 'pageshow', 'resume']) window.removeEventListener(event, wakeIfShown);
  };
};

/** Opens the stream, and again whenever it is lost. Answers what closes it. */
const openStream = ({ hear, begin, lose, lack }: StreamListener): (() => void) => {
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Not of `performance`, whose time stands still in some browsers while the machine sleeps.
  let heardMs = Date.now();
  const note = (): void => {
    heardMs = Date.now();
  };
  /** A clock that was set back says nothing about how long it was. */
  const isSilentFor = (ms: number): boolean => Date.now() < heardMs || Date.now() - heardMs > ms;
  const connect = (): void => {
    clearTimeout(timer);
    stream?.close();
    note();
    const opened = new EventSource('/dashboard/api/stream');
    stream = opened;
    opened.addEventListener('open', () => {
      note();
      begin();
    });
    opened.addEventListener('beat', note);
    for (const event of names)
      opened.addEventListener(event, ({ data }: MessageEvent<string>) => {
        note();
        hear({ name: event, data });
      });
    opened.addEventListener('error', () => {
      lose();
      if (opened.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => {
        lack();
        connect();
      }, againMs);
    });
  };
  const connectIfDead = (): void => {
    if (isSilentFor(stream?.readyState === EventSource.OPEN ? silentMs : answerMs)) connect();
  };
  connect();
  const asleep = onWake(connectIfDead);
  const watching = setInterval(() => {
    if (stream?.readyState === EventSource.OPEN) connectIfDead();
  }, silentMs / 2);
  return () => {
    clearTimeout(timer);
    clearInterval(watching);
    asleep();
    stream?.close();
  };
};

/** What pages of a browser tell each other. `stream` names the stream that has begun last; null: there is none. */
type Told =
  | { type: 'event'; event: StreamEvent }
  | { type: 'state'; stream: string | null }
  | { type: 'lack' }
  | { type: 'hello' };

const readTold = (data: unknown): Told | undefined => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a page of this origin has written it
  return typeof data === 'string' ? (parseOrNothing(data) as Told | undefined) : undefined;
};

/**
 * Joins the stream of this browser: one page has it, holds a lock meanwhile, and shares what it hears, because a browser has six connections to a
 * host. When that page goes, another one opens a stream. Without locks, as over plain http, each page has a stream of its own. Answers what leaves.
 */
export const joinStream = (listener: StreamListener): (() => void) => {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- browsers have no locks over plain http
  if (!navigator.locks || typeof BroadcastChannel === 'undefined') return openStream(listener);
  const leaving = new AbortController();
  const channel = new BroadcastChannel(name);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const tell = (told: Told): void => channel.postMessage(JSON.stringify(told));
  let close: (() => void) | undefined;
  let stream: string | null = null;
  let isQueued = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const note = (now: string | null): void => {
    if (now === stream) return;
    stream = now;
    if (now === null) listener.lose();
    else listener.begin();
  };

  /** Has the stream until this page goes. */
  const lead = async (): Promise<void> => {
    clearTimeout(waiting);
    const left = Promise.withResolvers<void>();
    leaving.signal.addEventListener('abort', () => left.resolve());
    const tellState = (now: string | null): void => {
      note(now);
      tell({ type: 'state', stream: now });
    };
    close = openStream({
      hear: (event) => {
        tell({ type: 'event', event });
        listener.hear(event);
      },
      begin: () => tellState(`${performance.timeOrigin}/${performance.now()}`),
      lose: () => tellState(null),
      lack: () => {
        tell({ type: 'lack' });
        listener.lack();
      },
    });
    await left.promise;
  };

  /** Waits for the stream, unless it does so already. */
  const queue = (): void => {
    if (isQueued || leaving.signal.aborted) return;
    isQueued = true;
    const granted = (): Promise<void> => {
      isQueued = false;
      return lead();
    };
    navigator.locks.request(name, { signal: leaving.signal }, granted).catch(release);
  };

  /** Another page has taken the stream. */
  const release = (): void => {
    close?.();
    close = undefined;
    queue();
  };

  const take = (): void => {
    if (!close && !leaving.signal.aborted) navigator.locks.request(name, { steal: true }, lead).catch(release);
  };

  /** Asks the page that has the stream for its state. A browser may have frozen that page. */
  const ask = (): void => {
    if (close) return;
    clearTimeout(waiting);
    waiting = setTimeout(take, answerMs);
    tell({ type: 'hello' });
  };

  channel.addEventListener('message', ({ data }) => {
    const told = readTold(data);
    if (!told) return;
    if (told.type === 'hello') {
      if (close) tell({ type: 'state', stream });
      return;
    }
    if (close) return;
    clearTimeout(waiting);
    if (told.type === 'event') listener.hear(told.event);
    else if (told.type === 'lack') listener.lack();
    else note(told.stream);
  });

  /** A page that comes back from the browser's cache has heard nothing meanwhile. */
  const forget = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && !close) stream = null;
  };
  window.addEventListener('pageshow', forget);
  const asleep = onWake(ask);
  queue();
  ask();
  return () => {
    leaving.abort();
    clearTimeout(waiting);
    window.removeEventListener('pageshow', forget);
    asleep();
    close?.();
    channel.close();
  };
};
