import { createContext, use } from 'react';
import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { Issue } from '../json/issue-list.tsx';
import type { Claims } from './problems/claims.ts';

/** The block whose form is open, as its controls change it. */
export type OpenBlock = {
  /** What names it in edits: its id, where it has one of its own. */
  id: string;
  block: RawBlock;
  /** Its place in the list of blocks; -1 for the start. */
  index: number;
  /** Its path in the definition; empty for the start, whose paths are those of the definition. */
  base: string;
  /** Changes the value at a path within the block; undefined takes it away. A pause in it ends a step of undo. */
  setAt: (path: string, value: unknown) => void;
  /** What is wrong in it; paths are within it: "messages.0.text". */
  issues: readonly Issue[];
  /** The paths whose controls show their problems. */
  claims: Claims;
  /** Opens the tab with the block as JSON. */
  showJson: () => void;
};

export const OpenBlockContext = createContext<OpenBlock | undefined>(undefined);

/** Only within a panel. */
export const useOpenBlock = (): OpenBlock => {
  const open = use(OpenBlockContext);
  if (!open) throw new TypeError('this control stands in the panel of a block');
  return open;
};
