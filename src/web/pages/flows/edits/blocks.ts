import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { indexOf } from './refs.ts';

/** The blocks of a definition as they are; what is no block is left out. */
export const blocksOf = ({ blocks }: AnyDefinition): readonly RawBlock[] =>
  Array.isArray(blocks) ? blocks.filter(isObject) : [];

/** The block that is named so, as every edit finds it. */
export const findBlock = (definition: AnyDefinition, ref: string): RawBlock | undefined => {
  const { blocks } = definition;
  const block: unknown = Array.isArray(blocks) ? blocks[indexOf(definition, ref)] : undefined;
  return isObject(block) ? block : undefined;
};

/** A field of a block as text; anything else is none. */
export const textOf = (block: RawBlock, key: string): string => {
  const value = block[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Changes one block. A definition without it stays as it is. */
export const changeBlock = (
  definition: AnyDefinition,
  ref: string,
  change: (block: RawBlock) => RawBlock,
): AnyDefinition => {
  const { blocks } = definition;
  if (!Array.isArray(blocks)) return definition;
  const index = indexOf(definition, ref);
  const block: unknown = blocks[index];
  if (!isObject(block)) return definition;
  const changed = change(block);
  return changed === block ? definition : { ...definition, blocks: blocks.with(index, changed) };
};

/** Changes fields of a block; one that is undefined is taken away. */
export const setFields = (block: RawBlock, fields: Readonly<Record<string, unknown>>): RawBlock =>
  Object.fromEntries(Object.entries({ ...block, ...fields }).filter(([, value]) => value !== undefined));
