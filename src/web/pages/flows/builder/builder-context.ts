import { createContext, use } from 'react';
import type { Walk } from '../drawing/drawing-context.ts';
import type { Draft } from '../draft/use-draft.ts';

/** Stands for the start in `selected` and `open`, where its form has the triggers. No block has this id, for an @ is no letter of one. */
export const startId = '@start';

/** What the builder's parts share: the draft, what is selected, and for whom values are shown. */
export type Builder = Draft & {
  flowId: string;
  /** Who else has the flow open, and the block that they edit; null for none. */
  others: readonly { user: string; part: string | null }[];
  /** The ids of the blocks that are selected, the one that the panel shows first; [] for none. */
  selected: readonly string[];
  select: (blockIds: readonly string[]) => void;
  /** Opens the panel of a block, at a field where one is given by its path within the block; the canvas moves so that the block is seen. */
  open: (blockId: string, path?: string) => void;
  /** The field that the panel is to show, each time that it is another object. */
  opened: { blockId: string; path: string } | undefined;
  /** The contact whose values are samples, in placeholders, tests and simulations. */
  contactId: string | undefined;
  setContactId: (id: string | undefined) => void;
  /** Whether blocks show how runs went through them. */
  showsNumbers: boolean;
  setShowsNumbers: (shows: boolean) => void;
  /** Whether the phone stands at the right, in place of the panel. */
  isSimulating: boolean;
  setSimulating: (is: boolean) => void;
  /** Opens the phone with a conversation that begins at a block. */
  simulateFrom: (blockId: string) => void;
  /** The block that the phone is to begin at, each time that it is another object. */
  simulatedFrom: { blockId: string } | undefined;
  /** The way of the simulation, which the canvas lights. */
  walk: Walk | undefined;
  setWalk: (walk: Walk | undefined) => void;
};

export const BuilderContext = createContext<Builder | undefined>(undefined);

/** Only within a builder. */
export const useBuilder = (): Builder => {
  const builder = use(BuilderContext);
  if (!builder) throw new TypeError('this part stands in a builder');
  return builder;
};
