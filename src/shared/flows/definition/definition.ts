import { z } from 'zod';
import type { BlockConfig } from '../blocks/block.ts';
import { blocks, findBlock } from '../blocks/index.ts';
import { blockId } from '../blocks/schemas.ts';
import { triggerSchema } from './triggers.ts';

/** The most blocks and triggers of a flow, the most characters of its JSON, and of its paths in mappings, which are slow to read. */
export const definitionLimits = { blocks: 500, triggers: 20, characters: 1_048_576, slowCharacters: 40_000 } as const;

const position = z.strictObject({ x: z.number(), y: z.number() });

/** What a definition has beside its blocks. */
export const frame = {
  schema_version: z.literal(1),
  start: blockId.meta({ description: 'The block that every run begins with.' }),
  triggers: z.array(triggerSchema).max(definitionLimits.triggers).default([]).meta({
    description: 'Triggers that start a run. The API can always start one.',
  }),
  reentry: z.enum(['one_active', 'allow']).default('one_active').meta({
    description: 'Whether a contact can be in the flow once at a time, or more often.',
  }),
  ui: z
    .strictObject({ positions: z.record(blockId, position).optional() })
    .optional()
    .meta({ description: 'Where the blocks stand on the canvas. It changes nothing of what the flow does.' }),
};

const anyBlock: z.ZodType<BlockConfig> = z.union(blocks.map(({ schema }) => schema));

const definitionSchema = z.strictObject({
  ...frame,
  blocks: z.array(anyBlock).min(1).max(definitionLimits.blocks).meta({
    description: 'In their order: a main port that `next` leaves out leads to the block that follows.',
  }),
});

/** A flow as it is published, its defaults filled in. */
export type Definition = z.output<typeof definitionSchema>;

/** Reads a definition that was found valid when it was published. Throws on any other. */
export const parseDefinition = (stored: unknown): Definition => {
  const { blocks: raw, ...rest } = z.strictObject({ ...frame, blocks: z.array(typed) }).parse(stored);
  const parsed = raw.map((block) => {
    const kind = findBlock(block.type);
    if (!kind) throw new TypeError(`a definition has a block of the unknown type ${block.type}`);
    return kind.schema.parse(block);
  });
  return { ...rest, blocks: parsed };
};

const typed = z.looseObject({ type: z.string() });

/** The JSON Schema (2020-12) of a definition as it is sent. */
export const definitionJsonSchema = () => ({
  title: 'Definition of a flow',
  ...z.toJSONSchema(definitionSchema, { io: 'input' }),
});
