/** Whether changes come at once. */
export type LinkState = 'live' | 'connecting';

/** What the visitor is told of the connection. */
export type Link = {
  state: () => LinkState;
  set: (now: LinkState) => void;
  /** As at the beginning: who has not written yet needs no connection. */
  reset: () => void;
};

/** How long the stream may be away before the visitor reads of it, in ms: most are there again before anybody would. */
const doubtMs = 3_000;

export const createLink = (changed: (now: LinkState) => void): Link => {
  let state: LinkState = 'live';
  let doubt: ReturnType<typeof setTimeout> | undefined;
  const become = (now: LinkState): void => {
    if (state === now) return;
    state = now;
    changed(now);
  };
  return {
    state: () => state,
    set: (now) => {
      clearTimeout(doubt);
      if (now === 'live') become(now);
      else doubt = setTimeout(() => become(now), doubtMs);
    },
    reset: () => {
      clearTimeout(doubt);
      state = 'live';
    },
  };
};
