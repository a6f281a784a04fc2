import type { ComponentType } from 'react';
import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { Issue } from '../json/issue-list.tsx';

/** What a form of a kind of block is given. */
export type BlockFormProps = {
  block: RawBlock;
  /** Changes fields of the block; one that is undefined is taken away. `field` names what is typed in: a pause in it ends a step of undo. */
  set: (fields: Readonly<Record<string, unknown>>, field?: string) => void;
  /** What is wrong in this block; paths are within it: "messages.0.text". */
  issues: readonly Issue[];
};

export type BlockForm = ComponentType<BlockFormProps>;
