import type { Block, BlockConfig } from '../blocks/block.ts';
import { blocks, findBlock } from '../blocks/index.ts';
import { definitionLimits, frame, type Definition } from './definition.ts';
import { parsePart, type Issues } from './issues.ts';
import type { Nearest } from './nearest.ts';

/** A block of a draft, as far as it can be read. `config` is there when its shape is right. */
export type DraftBlock = {
  index: number;
  id: string | undefined;
  parsed: { block: Block; config: BlockConfig } | undefined;
  /** Where its ports lead, also when its shape is wrong. */
  next: readonly (readonly [port: string, target: string])[];
};

/** A draft as far as it can be read. */
export type Draft = { start: string | undefined; triggers: Definition['triggers']; blocks: readonly DraftBlock[] };

type Raw = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads what can be read of a definition, and tells every problem of its shape. Undefined when nothing can be read. */
export const readDraft = (issues: Issues, nearest: Nearest, definition: unknown): Draft | undefined => {
  if (!isObject(definition)) {
    issues.add({ code: 'invalid_shape', path: '', message: 'must be an object' });
    return undefined;
  }
  for (const key of Object.keys(definition))
    if (key !== 'blocks' && !Object.hasOwn(frame, key))
      issues.add({
        code: 'invalid_shape',
        path: key.slice(0, 100),
        message: 'is not a known field',
        hint: nearest('key', key.slice(0, 64), [...Object.keys(frame), 'blocks']),
      });
  // Without a block there is none to begin with: the list says only that.
  if (definition['start'] === undefined && hasItems(definition['blocks']))
    issues.add({ code: 'no_start', path: 'start', message: 'is required: the block that every run begins with' });
  const part = (key: keyof typeof frame) => [definition[key], { path: key }] as const;
  parsePart({ issues, nearest }, frame.schema_version, ...part('schema_version'));
  parsePart({ issues, nearest }, frame.reentry, ...part('reentry'));
  parsePart({ issues, nearest }, frame.ui, ...part('ui'));
  return {
    start:
      definition['start'] === undefined ? undefined : parsePart({ issues, nearest }, frame.start, ...part('start')),
    triggers: parsePart({ issues, nearest }, frame.triggers, ...part('triggers')) ?? [],
    blocks: readBlocks(issues, nearest, definition['blocks']),
  };
};

const hasItems = (blocks: unknown): boolean => Array.isArray(blocks) && blocks.length > 0;

const readBlocks = (issues: Issues, nearest: Nearest, raw: unknown): DraftBlock[] => {
  const isList = Array.isArray(raw);
  if (!isList || raw.length === 0) {
    const message = raw === undefined ? 'is required' : isList ? 'must have at least 1 item' : 'must be a list';
    issues.add({ code: 'invalid_shape', path: 'blocks', message });
    return [];
  }
  const { blocks: most } = definitionLimits;
  if (raw.length > most)
    issues.add({ code: 'too_many_blocks', path: 'blocks', message: `must have at most ${most} items` });
  return raw.slice(0, most).map((block: unknown, index) => readBlock(issues, nearest, block, index));
};

const readBlock = (issues: Issues, nearest: Nearest, raw: unknown, index: number): DraftBlock => {
  const path = `blocks.${index}`;
  if (!isObject(raw)) {
    issues.add({ code: 'invalid_shape', path, message: 'must be an object' });
    return { index, id: undefined, parsed: undefined, next: [] };
  }
  const { id, type, next } = raw;
  const blockId = typeof id === 'string' ? id.slice(0, 64) : undefined;
  const block = typeof type === 'string' ? findBlock(type) : undefined;
  if (!block) {
    const names = blocks.map((known) => known.type);
    const hint = typeof type === 'string' ? nearest('type', type.slice(0, 64), names) : null;
    const message = `must be one of ${names.join(', ')}`;
    issues.add({ code: 'unknown_block_type', block_id: blockId ?? null, path: `${path}.type`, message, hint });
  }
  const config = block && parsePart({ issues, nearest }, block.schema, raw, { path, blockId: blockId ?? null });
  return {
    index,
    id: blockId,
    parsed: block && config && { block, config },
    next: isObject(next)
      ? Object.entries(next).flatMap(([port, to]) => (typeof to === 'string' ? [[port, to] as const] : []))
      : [],
  };
};
