import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';

/** The blocks of a definition as they are; what is no block is left out. */
export const blocksOf = ({ blocks }: AnyDefinition): readonly RawBlock[] =>
  Array.isArray(blocks) ? blocks.filter(isObject) : [];

/** The first block with this id, as every edit finds it. */
export const findBlock = (definition: AnyDefinition, id: string): RawBlock | undefined =>
  blocksOf(definition).find((block) => block['id'] === id);

/** A field of a block as text; anything else is none. */
export const textOf = (block: RawBlock, key: string): string => {
  const value = block[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Changes one block. A definition without it stays as it is. */
export const changeBlock = (
  definition: AnyDefinition,
  id: string,
  change: (block: RawBlock) => RawBlock,
): AnyDefinition => {
  const { blocks } = definition;
  if (!Array.isArray(blocks)) return definition;
  const index = blocks.findIndex((block: unknown) => isObject(block) && block['id'] === id);
  const block: unknown = blocks[index];
  if (!isObject(block)) return definition;
  const changed = change(block);
  return changed === block ? definition : { ...definition, blocks: blocks.with(index, changed) };
};

/** Changes fields of a block; one that is undefined is taken away. */
export const setFields = (block: RawBlock, fields: Readonly<Record<string, unknown>>): RawBlock =>
  Object.fromEntries(Object.entries({ ...block, ...fields }).filter(([, value]) => value !== undefined));
