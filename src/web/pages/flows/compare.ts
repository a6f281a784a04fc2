import type { AnyDefinition } from './definition-text.ts';

/** A block that is not the same in two definitions; null for what is no block. */
export type Difference = { blockId: string | null; kind: 'added' | 'removed' | 'changed' };

const hasId = (value: unknown): value is { id: string } =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';

const blocksOf = ({ blocks }: AnyDefinition): Map<string, string> =>
  new Map(Array.isArray(blocks) ? blocks.filter(hasId).map((block) => [block.id, sorted(block)]) : []);

/** JSON that is equal when what it says is, in whichever order names stand. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && Object.getPrototypeOf(inner) === Object.prototype
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Which blocks `now` has otherwise than `before`, in the order of `before`, and then those that are new. */
export const compareDefinitions = (before: AnyDefinition, now: AnyDefinition): Difference[] => {
  const [old, present] = [blocksOf(before), blocksOf(now)];
  const { blocks: _old, ...frameBefore } = before;
  const { blocks: _present, ...frameNow } = now;
  const differences: Difference[] = [];
  for (const [blockId, block] of old) {
    const other = present.get(blockId);
    if (other !== block) differences.push({ blockId, kind: other === undefined ? 'removed' : 'changed' });
  }
  for (const blockId of present.keys()) if (!old.has(blockId)) differences.push({ blockId, kind: 'added' });
  if (sorted(frameBefore) !== sorted(frameNow)) differences.push({ blockId: null, kind: 'changed' });
  return differences;
};
