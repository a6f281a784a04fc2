type Ask = (leave: () => void) => void;

let ask: Ask | undefined;

/** Has this asked before the session is left, as something would be lost with it. Answers what ends that. */
export const askBeforeLeaving = (asks: Ask): (() => void) => {
  ask = asks;
  return () => {
    if (ask === asks) ask = undefined;
  };
};

/** Leaves, at once where nothing asks. */
export const leaveUnlessAsked = (leave: () => void): void => (ask ? ask(leave) : leave());
