import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { blockIdOf, diff, isPosition, listOf, orderPart, partsOf, putParts, type Part } from '../draft/parts.ts';
import { exitOf, portsOf } from '../edits/ports.ts';

/** A part that two definitions have differently; undefined where one has none. */
export type Difference = { part: Part; kind: 'added' | 'removed' | 'changed'; before: unknown; after: unknown };

/** What `after` has otherwise than `before`. Of places on the canvas only that there are others, and of the order only that blocks were moved. */
export const differencesOf = (before: AnyDefinition, after: AnyDefinition): Difference[] => {
  const changes = diff(before, after).filter(({ part }) => !part.startsWith('has:'));
  const moved = changes.find(({ part }) => isPosition(part));
  return changes
    .filter((one) => (isPosition(one.part) ? one === moved : one.part !== orderPart || isReordered(one)))
    .map((one) => ({
      ...one,
      kind: one.before === undefined ? 'added' : one.after === undefined ? 'removed' : 'changed',
    }));
};

const isReordered = ({ before, after }: { before: unknown; after: unknown }): boolean => {
  const [old, now] = [listOf(before), listOf(after)];
  const [had, has] = [new Set(old), new Set(now)];
  const kept = now.filter((part) => had.has(part));
  return old.filter((part) => has.has(part)).some((part, index) => part !== kept[index]);
};

/** Which blocks differ, by their ids. */
export const kindsOf = (differences: readonly Difference[]): ReadonlyMap<string, Difference['kind']> =>
  new Map(
    differences.flatMap(({ part, kind }) => {
      const id = blockIdOf(part);
      return id === undefined ? [] : [[id, kind] as const];
    }),
  );

/**
 * A definition with the blocks as well that it has no more, to be drawn after the others. What leads to the following block of a list says so in words:
 * here another one follows.
 */
export const withRemoved = (before: AnyDefinition, after: AnyDefinition): AnyDefinition => {
  const now = partsOf(after);
  const gone = [...partsOf(before)].filter(([part]) => blockIdOf(part) !== undefined && !now.has(part));
  if (gone.length === 0) return after;
  const places = [...partsOf(before)].filter(([part]) => isPosition(part) && !now.has(part));
  const last = listOf(now.get(orderPart)).at(-1);
  const kept = last === undefined ? [] : [[last, sayFollowing(now.get(last), after)] as const];
  const removed = gone.map(([part, block]) => [part, sayFollowing(block, before)] as const);
  return putParts(after, new Map([...kept, ...removed, ...places]));
};

/** A block of a definition, which says also where those of its ports lead that lead to the following block. */
const sayFollowing = (block: unknown, { blocks }: AnyDefinition): unknown => {
  if (!isObject(block) || !Array.isArray(blocks)) return block;
  const { next = {} } = block;
  const other: unknown = blocks[blocks.indexOf(block) + 1];
  const following = isObject(other) && typeof other['id'] === 'string' ? other['id'] : undefined;
  const said = portsOf(block).flatMap((port) => {
    const exit = port.omitted === 'following' ? exitOf(block, port, following) : { end: 'open' };
    if ('to' in exit) return [[port.name, exit.to]];
    return exit.end === 'completes' ? [[port.name, null]] : [];
  });
  return said.length === 0 || !isObject(next) ? block : { ...block, next: { ...next, ...Object.fromEntries(said) } };
};
