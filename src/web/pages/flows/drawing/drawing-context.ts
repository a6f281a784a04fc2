import { createContext, use, type ReactNode } from 'react';

type Point = { x: number; y: number };

/** The way that a run has taken. */
export type Walk = {
  /** The block where the run is, or where it ended. */
  at: string | null;
  /** What became of a block; undefined where the run has not been. */
  stateOf: (blockId: string) => 'entered' | 'here' | 'failed' | undefined;
  /** Whether a block was left by one of these ports; of null, whether the run has begun. */
  took: (blockId: string | null, ports: readonly string[]) => boolean;
};

type Drawing = {
  /** How many runs are at a block now, as it is told; undefined for none. By null for those that have entered none yet. */
  countAt: (blockId: string | null) => string | undefined;
  /** What a flow is called. */
  nameOf: (flowId: string) => string;
  /** What a block's face stands in, of the class `block-face`: a link or a button, which does what a click is to do. */
  wrapFace: (blockId: string, face: ReactNode) => ReactNode;
  /** The same for what stands for the triggers, which nothing is done with in most drawings. */
  wrapStart?: ((face: ReactNode) => ReactNode) | undefined;
  /** The way of a run, where one is drawn. */
  walk?: Walk | undefined;
  /** The block that is to be shown, each time that it is another object. */
  shown?: { blockId: string } | undefined;
  /** What has become of a block since another version, where two are compared. */
  changeOf?: ((blockId: string) => 'added' | 'removed' | 'changed' | undefined) | undefined;
  /** What can be done with a wire, in the middle of it and at its end, where a flow is built. */
  wireTools?: ((wireId: string, at: { middle: Point; end: Point }) => ReactNode) | undefined;
};

/**
 * What the blocks of a drawing show beside their definition: it changes without anything being laid out again. Each change of it renders
 * all blocks.
 */
export const DrawingContext = createContext<Drawing>({
  countAt: () => undefined,
  nameOf: (id) => id,
  wrapFace: (_, face) => face,
});

export const useDrawing = (): Drawing => use(DrawingContext);
