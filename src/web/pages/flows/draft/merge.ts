import type { AnyDefinition } from '../definition-text.ts';
import { equal, isPlain } from './equal.ts';
import { diff, isPosition, listOf, orderPart, partsOf, putParts, share, type Part } from './parts.ts';

/** A part that two have changed, each otherwise. What is `undefined` was removed. */
export type Conflict = { part: Part; theirs: unknown };

/** What two have made of one definition. */
export type Three = { base: AnyDefinition; mine: AnyDefinition; theirs: AnyDefinition };

/** Both changes of a definition together. A part that both have changed is as mine has it, and told. The place of a block is the latest, mine. */
export const merge = ({ base, mine, theirs }: Three): { definition: AnyDefinition; conflicts: Conflict[] } => {
  const others = new Map(diff(base, theirs).map((change) => [change.part, change.after]));
  const values = new Map<Part, unknown>();
  const conflicts: Conflict[] = [];
  for (const { part, before, after } of diff(base, mine)) {
    const other = others.get(part);
    if (!others.has(part) || equal(other, after)) values.set(part, after);
    else if (part === orderPart) {
      const { order, isSplit } = mergeOrder({ base: listOf(before), mine: listOf(after), theirs: listOf(other) });
      values.set(part, order);
      if (isSplit) conflicts.push({ part, theirs: other });
    } else {
      values.set(part, after);
      if (!isPosition(part)) conflicts.push({ part, theirs: other });
    }
  }
  return { definition: share(mine, putParts(theirs, values)), conflicts };
};

type Orders = { base: readonly Part[]; mine: readonly Part[]; theirs: readonly Part[] };

/**
 * The order of blocks after both have changed it: added blocks stand behind the one that they were put behind. `isSplit` where both have moved blocks
 * that were there before; the order is then mine.
 */
const mergeOrder = ({ base, mine, theirs }: Orders): { order: readonly Part[]; isSplit: boolean } => {
  const hasMoved = movesOf(base, mine);
  const [spine, other] = hasMoved ? [mine, theirs] : [theirs, mine];
  const order = [...spine];
  const placed = new Set(spine);
  const before = new Set(base);
  other.forEach((part, index) => {
    if (placed.has(part) || before.has(part)) return;
    const ahead = other.slice(0, index).findLast((one) => placed.has(one));
    order.splice(ahead === undefined ? 0 : order.indexOf(ahead) + 1, 0, part);
    placed.add(part);
  });
  const there = new Set(common(mine, theirs));
  const isSplit = hasMoved && movesOf(base, theirs) && !equal(common(mine, theirs), common(theirs, mine));
  // What one of them has removed is gone.
  return { order: order.filter((part) => !before.has(part) || there.has(part)), isSplit };
};

const common = (one: readonly Part[], other: readonly Part[]): Part[] => {
  const there = new Set(other);
  return one.filter((part) => there.has(part));
};

/** Whether the blocks that both have stand in another order. */
const movesOf = (base: readonly Part[], now: readonly Part[]): boolean => !equal(common(base, now), common(now, base));

/** What of a change of a value from `base` to `mine` can be done to `theirs`, which somebody has changed since: theirs stays where both have changed. */
const mergeValue = (base: unknown, mine: unknown, theirs: unknown): unknown => {
  if (equal(theirs, base)) return mine;
  if (equal(mine, base) || equal(mine, theirs) || !isPlain(base) || !isPlain(mine) || !isPlain(theirs)) return theirs;
  const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const merged = [...keys].map((key) => [key, mergeValue(base[key], mine[key], theirs[key])] as const);
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
};

/** Does to a definition what leads a part from one value to another, but for what somebody else has changed there since. */
export const turn = (
  definition: AnyDefinition,
  changes: readonly { part: Part; from: unknown; to: unknown }[],
): AnyDefinition => {
  const parts = partsOf(definition);
  const values = new Map<Part, unknown>();
  for (const { part, from, to } of changes) {
    const now = parts.get(part);
    if (part === orderPart && !equal(now, from) && Array.isArray(to))
      values.set(part, mergeOrder({ base: listOf(from), mine: listOf(to), theirs: listOf(now) }).order);
    else values.set(part, mergeValue(from, to, now));
  }
  return putParts(definition, values);
};
