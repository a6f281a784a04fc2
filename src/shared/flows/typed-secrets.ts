import { isTypedSecret } from './blocks/check-request.ts';
import { isObject, mapBlocks, type RawBlock } from './raw-blocks.ts';
import type { DraftDefinition } from './schema.ts';

/** Replaces the headers of a block that look like typed secrets, finished or not; `replace` answers undefined to leave one out. */
export const replaceTypedSecrets = (block: RawBlock, replace: (name: string) => string | undefined): RawBlock => {
  const { headers } = block;
  if (!isObject(headers)) return block;
  const kept = Object.entries(headers).map(([name, value]) => {
    const isSecret = isTypedSecret(name, typeof value === 'string' ? value : JSON.stringify(value));
    return [name, isSecret ? replace(name) : value] as const;
  });
  return { ...block, headers: Object.fromEntries(kept.filter(([, value]) => value !== undefined)) };
};

/** A definition for those who read flows and may not change them: secrets that were typed into headers are hidden. */
export const hideTypedSecrets = (definition: DraftDefinition): DraftDefinition =>
  mapBlocks(definition, (block) => replaceTypedSecrets(block, () => '(hidden)'));
