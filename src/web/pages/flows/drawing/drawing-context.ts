import { createContext, use, type ReactNode } from 'react';

type Drawing = {
  /** How many runs are at a block now, as it is told; undefined for none. By null for those that have entered none yet. */
  countAt: (blockId: string | null) => string | undefined;
  /** What a flow is called. */
  nameOf: (flowId: string) => string;
  /** What a block's face stands in, of the class `block-face`: a link or a button, which does what a click is to do. */
  wrapFace: (blockId: string, face: ReactNode) => ReactNode;
};

/** What the blocks of a drawing show beside their definition: it changes without anything being laid out again. */
export const DrawingContext = createContext<Drawing>({
  countAt: () => undefined,
  nameOf: (id) => id,
  wrapFace: (_, face) => face,
});

export const useDrawing = (): Drawing => use(DrawingContext);
