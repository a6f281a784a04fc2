/** Holds the newest of what changes with each render, for handlers that stay the same. */
export const hold = <Held>(first: Held): { get: () => Held; set: (next: Held) => void } => {
  let held = first;
  return {
    get: () => held,
    set: (next) => {
      held = next;
    },
  };
};

/** Gives an element the focus when it comes; it stays where it is. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
