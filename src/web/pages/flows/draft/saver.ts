import type { Clock, Issue, Saving, Session } from './session.ts';
import { isUnread, isUnsaved, noteNotStored, noteSaved, noteSent, rebase, type Stored } from './state.ts';

/** What keeps a request from being answered as it was meant. `away` is worth another try, `ended` says that the session is over. */
export type Unserved = { is: 'away'; retryMs?: number | undefined } | { is: 'refused'; why: string } | { is: 'ended' };

/** How a draft is read and stored. None of it throws. */
export type DraftServer = {
  read: () => Promise<{ is: 'read'; stored: Stored; issues: readonly Issue[] } | { is: 'changed' } | Unserved>;
  /** Stores a definition over this revision. `isLast` when the page may go before the answer comes. */
  store: (
    draft: Stored,
    options: { isLast: boolean },
  ) => Promise<{ is: 'stored'; revision: number; issues: readonly Issue[] } | { is: 'changed' } | Unserved>;
};

/** Saves a draft by itself. */
export type Saver = {
  /** Saves now what can be saved. `isLast` when the page may go. */
  flush: (options?: { isLast: boolean }) => void;
  /** Saves now, and answers when it is saved or cannot be. */
  settle: () => Promise<void>;
  /** Hears that this revision is stored. */
  hear: (revision: number) => void;
  /** Reads again what is stored, which may be found right or wrong by now: something was created that it names. */
  recheck: () => void;
  /** The server may answer again. */
  retry: () => void;
  stop: () => void;
};

/** How long after the last change a draft is saved, and the longest that it is not while changes follow each other, in ms. */
const [restMs, longestRestMs] = [800, 5_000];

/** The pauses before another try, in ms. */
const pausesMs = [1_000, 2_000, 4_000, 8_000, 16_000] as const;
const longestPauseMs = 30_000;

export const createSaver = (
  { store, readTyped }: Pick<Session, 'store' | 'readTyped'>,
  { server, clock }: { server: DraftServer; clock: Clock },
): Saver => {
  let forget = (): void => {};
  let [isBusy, isStopped, isHurried, isDoubted] = [false, false, false, false];
  let [failures, notBefore, heard] = [0, 0, -1];
  let [changedAt, restsSince] = [clock.now(), clock.now()];
  let refused: { definition: object; why: string } | undefined;
  let waiters: (() => void)[] = [];

  const fail = (answer: Unserved): void => {
    if (answer.is === 'ended') end();
    else if (answer.is === 'refused') refused = { definition: store.getState().definition, why: answer.why };
    else {
      const pause = Math.max(pausesMs[failures] ?? longestPauseMs, answer.retryMs ?? 0);
      failures += 1;
      notBefore = clock.now() + pause;
    }
  };

  const isBehind = (): boolean => heard > store.getState().base.revision;

  /** Reads what is stored, and goes on from it. */
  const read = async (): Promise<boolean> => {
    const answer = await server.read();
    if (answer.is !== 'read') {
      fail(answer.is === 'changed' ? { is: 'away' } : answer);
      return false;
    }
    const { stored, issues } = answer;
    failures = 0;
    isDoubted = false;
    heard = stored.revision;
    store.setState((state) => ({ ...rebase(state, stored), issues }));
    return true;
  };

  const save = async (isLast: boolean): Promise<void> => {
    const { definition, base } = store.getState();
    store.setState((state) => ({ ...noteSent(state, definition), saving: { is: 'saving' } }));
    const answer = await server.store({ revision: base.revision, definition }, { isLast });
    if (answer.is === 'stored') {
      const { revision, issues } = answer;
      failures = 0;
      refused = undefined;
      restsSince = clock.now();
      store.setState((state) => ({ ...noteSaved(state, { revision, definition }), issues }));
      return;
    }
    // Of what got no answer nobody knows whether it is stored.
    if (answer.is !== 'away') store.setState((state) => noteNotStored(state, definition));
    if (answer.is !== 'changed') {
      fail(answer);
      if (answer.is === 'refused') refused = { definition, why: answer.why };
    } else if ((await read()) && store.getState().base.revision === base.revision) fail({ is: 'away' });
  };

  const canSave = (): boolean => {
    const state = store.getState();
    return isUnsaved(state) && state.conflicts.length === 0 && refused?.definition !== state.definition;
  };

  const run = async ({ isLast = false } = {}): Promise<void> => {
    if (isStopped) return;
    if (isBusy) {
      isHurried = true;
      return;
    }
    readTyped();
    forget();
    isBusy = true;
    isHurried = false;
    try {
      if ((isBehind() || isDoubted) && !(await read())) return;
      if (canSave()) await save(isLast);
    } finally {
      isBusy = false;
      rest();
    }
  };

  /** Shows what the draft is in, and has the next save begin in time. */
  const rest = (): void => {
    if (isBusy || isStopped) return;
    forget();
    const state = store.getState();
    const now = clock.now();
    const isPaused = failures > 0 && now < notBefore;
    if (canSave() || isBehind()) {
      const due = Math.min(changedAt + restMs, restsSince + longestRestMs);
      const isNow = (isHurried || waiters.length > 0) && !isPaused;
      forget = clock.after(isNow ? 0 : Math.max(due - now, isPaused ? notBefore - now : 0), () => void run());
      show(isPaused || failures > 0 ? { is: 'offline' } : { is: 'saving' });
      if (!isPaused) return;
    } else if (state.conflicts.length > 0) show({ is: 'conflict' });
    else if (isUnsaved(state)) show({ is: 'refused', why: refused?.why ?? '' });
    else show({ is: isUnread(state) ? 'no_json' : 'saved' });
    const told = waiters;
    waiters = [];
    for (const tell of told) tell();
  };

  const show = (saving: Saving): void => {
    const before = store.getState().saving;
    if (before.is !== saving.is || before.is === 'refused') store.setState({ saving });
  };

  const unsubscribe = store.subscribe((state, before) => {
    if (state.definition === before.definition && state.typed === before.typed && state.conflicts === before.conflicts)
      return;
    changedAt = clock.now();
    if (!isUnsaved(before)) restsSince = changedAt;
    rest();
  });

  const end = (): void => {
    store.setState({ saving: { is: 'ended' } });
    stop();
  };

  const stop = (): void => {
    isStopped = true;
    forget();
    unsubscribe();
    for (const tell of waiters) tell();
  };

  rest();
  return {
    flush: (options) => void run(options),
    settle: () =>
      new Promise<void>((resolve) => {
        waiters.push(resolve);
        if (isStopped) resolve();
        else void run();
      }),
    hear: (revision) => {
      heard = Math.max(heard, revision);
      if (isBehind()) void run();
    },
    recheck: () => {
      isDoubted = true;
      void run();
    },
    retry: () => {
      notBefore = 0;
      if (failures > 0) void run();
    },
    stop,
  };
};
