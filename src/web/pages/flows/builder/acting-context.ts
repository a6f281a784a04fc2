import { createContext, use } from 'react';
import type { Actions, Now } from '../canvas/actions.ts';

/** What the canvas, the list and the panel do with a draft, in the same way. It stays the same object. */
export type Acting = {
  now: () => Now;
  actions: Actions;
  /** Tells a step to screen readers. */
  say: (text: string) => void;
  /** Gives a block the focus as soon as it is shown; what shows the blocks, where there is none. */
  focus: (ref: string | undefined) => void;
  /** Has what shows the blocks give them the focus. Answers how that ends. */
  takeFocus: (take: (ref: string | undefined) => void) => () => void;
};

export const ActingContext = createContext<Acting | undefined>(undefined);

/** Only within a builder. */
export const useActing = (): Acting => {
  const acting = use(ActingContext);
  if (!acting) throw new TypeError('this part stands in a builder');
  return acting;
};
