import type { BlockConfig, Effect, Input, Move, BlockContext } from '../../src/shared/flows/blocks/block.ts';
import { findBlock } from '../../src/shared/flows/blocks/index.ts';

type Raw = { type: string } & Readonly<Record<string, unknown>>;

const read = (raw: Raw) => {
  const block = findBlock(raw.type);
  if (!block) throw new Error(`no block of type ${raw.type}`);
  const config: BlockConfig = block.schema.parse({ id: 'block', ...raw });
  return { block, config };
};

/** What a block decides when it is entered. Its fields are those of a definition. */
export const enter = (raw: Raw, context: BlockContext): Move => {
  const { block, config } = read(raw);
  return block.enter(config, context);
};

/** What a waiting block decides on an input; undefined when it is not for it. */
export const resume = (raw: Raw, context: BlockContext, input: Input): Move | undefined => {
  const { block, config } = read(raw);
  return block.resume?.(config, context, input);
};

/** What a block has done. */
export const effectsOf = (move: Move | undefined): readonly Effect[] =>
  move !== undefined && 'effects' in move ? (move.effects ?? []) : [];

/** Whether a block's schema takes these fields. */
export const isBlock = (raw: Raw): boolean =>
  findBlock(raw.type)?.schema.safeParse({ id: 'block', ...raw }).success ?? false;
