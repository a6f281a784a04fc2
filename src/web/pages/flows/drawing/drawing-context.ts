import { createContext, use } from 'react';

type Drawing = {
  flowId: string;
  /** How many runs are at a block now, as it is told; undefined for none. By null for those that have entered none yet. */
  countAt: (blockId: string | null) => string | undefined;
  /** What a flow is called. */
  nameOf: (flowId: string) => string;
};

/** What the blocks of a drawing show beside their definition: it changes without anything being laid out again. */
export const DrawingContext = createContext<Drawing>({ flowId: '', countAt: () => undefined, nameOf: (id) => id });

export const useDrawing = (): Drawing => use(DrawingContext);
