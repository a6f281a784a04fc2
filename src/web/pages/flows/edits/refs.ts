import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';

/** How pages name a block: by its id, or by its place in the list where it has no id of its own. */
type Refs = { at: readonly string[]; index: ReadonlyMap<string, number> };

const read = new WeakMap<readonly unknown[], Refs>();

const none: Refs = { at: [], index: new Map() };

/** Begins what names a block without an id of its own. No id that can be published has this letter. */
const mark = '@';

/** Whether a block is named by its id. A half-finished draft may have other ids, or none. */
export const isId = (ref: string): boolean => ref !== '' && !ref.startsWith(mark);

const refsOfBlocks = (blocks: readonly unknown[]): Refs => {
  const known = read.get(blocks);
  if (known) return known;
  const index = new Map<string, number>();
  const at = blocks.map((block, place) => {
    const id = isObject(block) && typeof block['id'] === 'string' ? block['id'] : '';
    const ref = isId(id) && !index.has(id) ? id : `${mark}place:${place}`;
    index.set(ref, place);
    return ref;
  });
  const refs = { at, index };
  read.set(blocks, refs);
  return refs;
};

/** What names each entry of the list of blocks, in its order: the first block of an id has the id. */
export const refsOf = ({ blocks }: AnyDefinition): readonly string[] =>
  Array.isArray(blocks) ? refsOfBlocks(blocks).at : none.at;

/** The place of a block in the list; -1 where there is none. */
export const indexOf = ({ blocks }: AnyDefinition, ref: string): number =>
  (Array.isArray(blocks) ? refsOfBlocks(blocks) : none).index.get(ref) ?? -1;
