/** One of a browser's tabs leads: it has the stream, and tells the others. */
export type Tabs<Told> = {
  /** Tells the other tabs. */
  tell: (told: Told) => void;
  /** Asks the tab that leads for a sign of life, and takes its place where none comes: a phone may have frozen it. */
  checkLeader: () => void;
  stop: () => void;
};

export type TabsOptions<Told> = {
  /** Is the same in all tabs that share. */
  name: string;
  /** Leads until the signal is aborted. */
  lead: (signal: AbortSignal) => Promise<void>;
  hear: (told: Told) => void;
  /** Is called in the tab that leads when another one has come to the front. */
  wake: () => void;
};

type Envelope<Told> = { told: Told } | { sign: 'asked' | 'here' };

/** How long a tab that leads may take to answer another, in ms. */
const answerMs = 3_000;

/** Where a browser has neither locks nor channels, or refuses them, each tab leads for itself. */
export const createTabs = <Told>({ name, lead, hear, wake }: TabsOptions<Told>): Tabs<Told> => {
  const stopped = new AbortController();
  let leading: AbortController | undefined;
  let doubt: ReturnType<typeof setTimeout> | undefined;
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  const channel = locks && 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined;
  const post = (envelope: Envelope<Told>): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    if (!stopped.signal.aborted) channel?.postMessage(envelope);
  };

  const leadUntilStopped = async (): Promise<void> => {
    if (stopped.signal.aborted) return;
    leading = new AbortController();
    const { signal } = leading;
    try {
      await lead(signal);
    } finally {
      if (leading?.signal === signal) leading = undefined;
    }
  };

  const queue = async (options: LockOptions): Promise<void> => {
    if (!locks || !channel) return leadUntilStopped();
    try {
      await locks.request(name, options, leadUntilStopped);
    } catch {
      if (stopped.signal.aborted) return;
      // Another tab has taken the lead, or the browser gives no locks to this page.
      const wasTaken = leading !== undefined;
      leading?.abort();
      leading = undefined;
      if (wasTaken) void queue({ signal: stopped.signal });
      else await leadUntilStopped();
    }
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<Envelope<Told>>) => {
    if (stopped.signal.aborted) return;
    if ('told' in data) return hear(data.told);
    if (data.sign === 'here') clearTimeout(doubt);
    else if (leading) {
      post({ sign: 'here' });
      wake();
    }
  });
  void queue({ signal: stopped.signal });

  return {
    tell: (told) => post({ told }),
    checkLeader: () => {
      if (leading || !channel) return;
      clearTimeout(doubt);
      doubt = setTimeout(() => void queue({ steal: true }), answerMs);
      post({ sign: 'asked' });
    },
    stop: () => {
      stopped.abort();
      leading?.abort();
      clearTimeout(doubt);
      channel?.close();
    },
  };
};

/** Runs work in one tab at a time, where the browser can say so. */
export const oneTabAtATime = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(name, work);
};
