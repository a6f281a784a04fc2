import type { DraftDefinition } from './schema.ts';

/** A block of a draft, whatever it has. */
export type RawBlock = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is RawBlock =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same definition with other blocks; what is no block stays. */
export const mapBlocks = (
  definition: DraftDefinition,
  change: (block: RawBlock, index: number) => RawBlock,
): DraftDefinition => {
  const { blocks } = definition;
  if (!Array.isArray(blocks)) return definition;
  return {
    ...definition,
    blocks: blocks.map((block: unknown, index) => (isObject(block) ? change(block, index) : block)),
  };
};
