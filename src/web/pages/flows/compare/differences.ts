import type { AnyDefinition } from '../definition-text.ts';
import { blockIdOf, diff, isPosition, listOf, orderPart, partsOf, putParts, type Part } from '../draft/parts.ts';

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

/** A definition with the blocks as well that it has no more, to be drawn. */
export const withRemoved = (before: AnyDefinition, after: AnyDefinition): AnyDefinition => {
  const now = partsOf(after);
  const gone = [...partsOf(before)].filter(([part]) => blockIdOf(part) !== undefined && !now.has(part));
  const places = [...partsOf(before)].filter(([part]) => isPosition(part) && !now.has(part));
  return putParts(after, new Map([...gone, ...places]));
};
